"""The Railway Game (chapter 4), with private breweries and export beer."""
