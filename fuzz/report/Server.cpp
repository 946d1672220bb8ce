//===- Server.cpp - pages for a browser on this machine ---------------------------------------===//
#include "fuzz/report/Server.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <microhttpd.h>
#include <netinet/in.h>
#include <system_error>
#include <thread>

using namespace tilesmith::fuzz;

namespace {

using MakePage = std::function<llvm::Expected<Page>(const std::string &)>;

MHD_Result answer(MHD_Connection *connection, unsigned code, const Page &page) {
  MHD_Response *response = MHD_create_response_from_buffer(
      page.text.size(), const_cast<char *>(page.text.data()), MHD_RESPMEM_MUST_COPY);
  if (!response)
    return MHD_NO;
  const std::pair<const char *, const char *> kHeaders[] = {{"Content-Type", page.type.c_str()},
                                                            {"Cache-Control", "no-store"},
                                                            {"X-Content-Type-Options", "nosniff"},
                                                            {"Referrer-Policy", "no-referrer"},
                                                            {"X-Frame-Options", "DENY"}};
  for (const auto &[name, value] : kHeaders)
    MHD_add_response_header(response, name, value);
  const MHD_Result result = MHD_queue_response(connection, code, response);
  MHD_destroy_response(response);
  return result;
}

bool isLocal(const char *host) {
  const llvm::StringRef name = llvm::StringRef(host ? host : "").rsplit(':').first;
  return llvm::is_contained({"localhost", "127.0.0.1"}, name);
}

MHD_Result onRequest(void *context, MHD_Connection *connection, const char *url, const char *method,
                     const char *, const char *, size_t *size, void **) {
  auto refuse = [&](unsigned code, const std::string &text) {
    return answer(connection, code, {text + "\n", "text/plain; charset=utf-8"});
  };
  if (!isLocal(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host")))
    return refuse(MHD_HTTP_FORBIDDEN, "expected a request to localhost");
  if (!llvm::is_contained({"GET", "HEAD"}, llvm::StringRef(method)) || *size != 0)
    return refuse(MHD_HTTP_METHOD_NOT_ALLOWED, "expected GET or HEAD");
  auto page = (*static_cast<const MakePage *>(context))(url);
  if (!page)
    return refuse(MHD_HTTP_SERVICE_UNAVAILABLE, llvm::toString(page.takeError()));
  if (page->type.empty())
    return refuse(MHD_HTTP_NOT_FOUND, "no such page");
  return answer(connection, MHD_HTTP_OK, *page);
}

} // namespace

llvm::Error tilesmith::fuzz::serve(unsigned port, const MakePage &page,
                                   llvm::function_ref<void(unsigned)> onReady,
                                   llvm::function_ref<bool()> ends) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  errno = 0;
  MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD, static_cast<uint16_t>(port), nullptr, nullptr, onRequest,
      const_cast<MakePage *>(&page), MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT,
      32u, MHD_OPTION_CONNECTION_TIMEOUT, 30u, MHD_OPTION_END);
  if (!daemon)
    return llvm::createStringError(llvm::formatv("cannot listen on 127.0.0.1, port {0}: {1}", port,
                                                 std::generic_category().message(errno))
                                       .str());
  const MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  onReady(info ? info->port : port);
  while (!ends())
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  MHD_stop_daemon(daemon);
  return llvm::Error::success();
}
