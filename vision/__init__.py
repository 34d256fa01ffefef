"""The eyes: pure functions from a frame to plain Python values. OpenCV and NumPy stay in here."""
