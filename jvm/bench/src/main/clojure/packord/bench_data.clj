(ns packord.bench-data
  "The documents of the benchmark. All are made here; BENCH_DATA may name a folder with further
  JSON documents."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str])
  (:import
   (com.fasterxml.jackson.databind ObjectMapper)
   (java.util Random)
   (packord.bench JacksonData)))

(set! *warn-on-reflection* true)

(def mixed
  "The data set that the README of msgpack-clj measures with."
  {:string-key "Hello, World!"
   :integer-value 42
   :decimal-number 3.14159
   :boolean-value true
   :nil-value nil
   :nested-map {:name "John Doe"
                :age 30
                :active? true
                :preferences {:theme "dark" :notifications true}}
   :simple-vector [1 2 3 4 5]
   :mixed-vector ["string" 42 true {:key "value"} ["nested-vector"]]
   :nested-vectors [[1 2 3] [4 5 6] [7 8 9]]
   :array-of-maps [{:id 1
                    :type "user"
                    :data {:email "user1@example.com" :tags ["active" "premium"]}}
                   {:id 2
                    :type "admin"
                    :data {:email "admin@example.com"
                           :permissions ["read" "write" "delete"]}}]
   :deep-nesting {:level1 {:level2 {:level3 {:value "deeply nested"
                                             :numbers [1 2 3]
                                             :map {:a 1 :b 2}}}}}
   :edge-cases {:empty-string "" :empty-vector [] :empty-map {}}})

(defn below
  "A number from 0 to n - 1."
  [^Random r n]
  (long (.nextInt r (int n))))

(defn- pick [^Random r coll]
  (nth coll (below r (count coll))))

(defn- words [r n vocabulary]
  (str/join " " (repeatedly n #(pick r vocabulary))))

(def ^:private latin
  ["release" "the" "of" "meeting" "today" "great" "and" "coffee" "new" "build" "is" "out" "photo"
   "see" "you" "tomorrow" "with" "a" "friends" "data"])

(def ^:private kana
  ["今日は" "とても" "新しい" "写真" "です" "ありがとう" "明日" "東京" "コーヒー" "面白い" "友達と" "見た"])

(defn- url [^Random r host]
  (str "http://" host "/" (Long/toString (long (below r 1000000000)) 36)))

(defn- user [^Random r]
  (let [id (below r 2000000000)
        color #(format "%06X" (below r 0xffffff))]
    {:id id
     :id_str (str id)
     :name (words r 2 (if (.nextBoolean r) kana latin))
     :screen_name (str (pick r latin) "_" (below r 10000))
     :location (if (.nextBoolean r) "" (pick r kana))
     :description (words r (+ 6 (below r 20)) (if (< (below r 10) 7) kana latin))
     :url (when (.nextBoolean r) (url r "example.com"))
     :entities {:description {:urls []}}
     :protected false
     :followers_count (below r 50000)
     :friends_count (below r 2000)
     :listed_count (below r 60)
     :created_at "Mon Sep 01 00:00:00 +0000 2014"
     :favourites_count (below r 9000)
     :utc_offset (when (.nextBoolean r) 32400)
     :time_zone (when (.nextBoolean r) "Tokyo")
     :geo_enabled (.nextBoolean r)
     :verified false
     :statuses_count (below r 90000)
     :lang "ja"
     :contributors_enabled false
     :is_translator false
     :is_translation_enabled false
     :profile_background_color (color)
     :profile_background_image_url (url r "images.example.com/themes/theme1/bg.png")
     :profile_background_image_url_https (url r "images.example.com/themes/theme1/bg.png")
     :profile_background_tile false
     :profile_image_url (url r "images.example.com/profile_images")
     :profile_image_url_https (url r "images.example.com/profile_images")
     :profile_banner_url (url r "images.example.com/profile_banners")
     :profile_link_color (color)
     :profile_sidebar_border_color (color)
     :profile_sidebar_fill_color (color)
     :profile_text_color (color)
     :profile_use_background_image true
     :default_profile (.nextBoolean r)
     :default_profile_image false
     :following false
     :follow_request_sent false
     :notifications false}))

(defn- entities [^Random r]
  {:hashtags (vec (repeatedly (below r 2) #(hash-map :text (pick r kana) :indices [10 18])))
   :symbols []
   :urls (vec (repeatedly (below r 2)
                          #(hash-map :url (url r "t.example")
                                     :expanded_url (url r "www.example.com/articles")
                                     :display_url "example.com/articles"
                                     :indices [58 80])))
   :user_mentions (vec (repeatedly (below r 3)
                                   #(hash-map :screen_name (pick r latin)
                                              :name (pick r kana)
                                              :id (below r 2000000000)
                                              :id_str (str (below r 2000000000))
                                              :indices [3 15])))})

(defn- status [^Random r retweets?]
  (let [id (+ 505874000000000000 (below r 2000000000))]
    (cond-> {:metadata {:result_type "recent" :iso_language_code "ja"}
             :created_at "Sun Aug 31 00:29:15 +0000 2014"
             :id id
             :id_str (str id)
             :text (words r (+ 5 (below r 20)) (if (< (below r 10) 8) kana latin))
             :source "<a href=\"http://example.com/download\" rel=\"nofollow\">Client for phones</a>"
             :truncated false
             :in_reply_to_status_id nil
             :in_reply_to_status_id_str nil
             :in_reply_to_user_id (when (.nextBoolean r) (below r 2000000000))
             :in_reply_to_user_id_str nil
             :in_reply_to_screen_name nil
             :user (user r)
             :geo nil
             :coordinates nil
             :place nil
             :contributors nil
             :retweet_count (below r 100)
             :favorite_count (below r 20)
             :entities (entities r)
             :favorited false
             :retweeted false
             :lang "ja"}
      (and retweets? (.nextBoolean r)) (assoc :retweeted_status (status r false))
      (.nextBoolean r) (assoc :possibly_sensitive false))))

(defn- statuses []
  (let [r (Random. 7)]
    {:statuses (vec (repeatedly 100 #(status r true)))
     :search_metadata {:completed_in 0.087
                       :max_id 505874924095815700
                       :query "%E4%B8%80"
                       :count 100
                       :since_id 0}}))

(defn rows
  "1000 maps of 7 keys."
  []
  (let [r (Random. 11)]
    (vec (for [i (range 1000)]
           {:id i
            :name (words r 2 latin)
            :email (str (pick r latin) i "@example.com")
            :age (+ 18 (below r 60))
            :active (.nextBoolean r)
            :score (* 100 (.nextDouble r))
            :tags [(pick r latin) (pick r latin)]}))))

(defn- further []
  (when-let [folder (System/getenv "BENCH_DATA")]
    (for [^java.io.File f (sort (.listFiles (io/file folder)))
          :when (str/ends-with? (.getName f) ".json")]
      [(.getName f) (.readValue ^ObjectMapper (JacksonData/mapper nil true) f Object)])))

(defn documents
  "Pairs of name and value."
  []
  (concat [["mixed" mixed] ["statuses" (statuses)] ["1000 rows" (rows)]] (further)))
