"""The world misbehaves: disks are full, files change, programs are ended and killed."""
