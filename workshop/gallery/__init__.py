"""The pictures of docs/gallery, and the positions, tiles and contact sheets that are drawn in them."""
