"""A NetworkX backend that computes centralities with linchpin. NetworkX reads info first, and backend at the first call."""
