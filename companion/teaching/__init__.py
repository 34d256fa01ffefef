"""Lessons: setting the camera up with a person, step by step; plain state machines that a teacher with eyes serves."""
