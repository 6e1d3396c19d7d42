"""Speed of container files, compared with other files of rows, in the engines that read them."""
