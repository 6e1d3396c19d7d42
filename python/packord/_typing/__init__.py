"""How classes and types are described: for packing their objects, and for reading into them."""
