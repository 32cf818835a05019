"""Views: who is present, and the agreement on the next view. Mirrors spec/CatanViews.tla."""
