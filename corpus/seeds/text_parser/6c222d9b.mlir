cuda_tile.loop {
  break
}
