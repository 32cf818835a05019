"""The report: figures and tables of measured games beside those that the thesis publishes, as HTML and Markdown."""
