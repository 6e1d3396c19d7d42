{:npm-deps {"packord" "0.1.0"}}
