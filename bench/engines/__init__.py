"""Speed of container files beside other files of rows, in the engines that read them."""
