# The one lit configuration of the repository. Each room's test/ folder holds a one-line lit.cfg.py-free tree:
# tilesmith_lit_suite() passes the tool folders as parameters and a lit.local.cfg is not needed.
