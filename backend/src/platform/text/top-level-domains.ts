/**
 * The most abused top-level domains, besides country codes. A complete list isn't needed: a dot between two words gets
 * a space anyway, and then no longer makes a link.
 */
export const genericTlds: ReadonlySet<string> = new Set(
  `com net org info biz name pro mobi jobs tel travel cat coop aero museum int edu gov mil arpa asia post app dev page
   web xyz top site online store shop club live click link website space tech fun icu vip work win bid loan men date
   download review stream party trade science racing faith cricket accountant webcam gdn buzz monster cyou rest bar
   cfd sbs quest beauty hair skin makeup boats autos homes motorcycles yachts lol mom pics life world today email
   support help agency company business center city cloud digital network systems solutions services media news blog
   host hosting press wiki zone zip mov bot ai io co me tv cc ws fm gg to ly gl sh so im link ink red blue pink black
   green gold plus one run money cash credit finance financial loans tax insurance capital exchange trading market
   markets sale deals discount bargains promo gift gifts free games game play casino bet poker porn sex adult xxx dating
   chat social community group team codes academy school education university institute training courses guru expert
   consulting management marketing partners associates ventures foundation fund charity church health care clinic
   dental doctor hospital pharmacy surgery fitness yoga diet recipes restaurant cafe pizza beer wine coffee food
   kitchen garden house homes rent rentals apartments properties property estate land construction builders
   contractors repair tools supply supplies parts equipment industries energy solar bio eco organic earth farm
   photo photos photography gallery pictures graphics design studio art theater film movie video music audio band
   show events tickets tours vacations holiday flights cruises voyage hotel hotels hostel taxi limo bike auto car cars
   fashion clothing shoes jewelry watch style toys baby kids family wedding singles love horse pet dog fish hockey
   football soccer golf tennis ski surf rugby run rocks ninja wtf fail exposed sucks icu moe foo best buy
   google youtube amazon bank onion local internal example istanbul ist berlin london paris nyc tokyo moscow`.split(
    /\s+/,
  ),
);

/** Top-level domains in other scripts. */
export const nonLatinTlds: ReadonlySet<string> = new Set(
  `рф рус укр бел мкд срб бг ею қаз мон онлайн сайт орг ком дети москва ελ ευ հայ გე 中国 中國 公司 网络 網絡 网址 网站 香港 台湾
   台灣 新加坡 澳門 在线 商城 商店 我爱你 集团 移动 组织机构 コム みんな ストア 한국 닷컴 닷넷 삼성 भारत भारतम् संगठन नेट कॉम ไทย คอม ລາວ ලංකා
   இந்தியா சிங்கப்பூர் ভারত বাংলা ਭਾਰਤ ભારત భారత్ ಭಾರತ ഭാരതം ଭାରତ ভাৰত مصر السعودية امارات ایران پاکستان الاردن الجزائر المغرب تونس
   عمان قطر فلسطين سورية سودان شبكة كوم موقع بازار بھارت קום ישראל`.split(/\s+/),
);

/** Top-level domains that aren't words; they are recognised even with a space after the dot. */
export const wellKnownTlds: ReadonlySet<string> = new Set(['com', 'net', 'org', 'info', 'biz', 'xyz', 'icu', 'www']);
