/** What is said of a draft that two tabs change at once. */
export default {
  text: 'Bu taslak başka bir yerde, belki başka bir sekmede değiştirildi. Siz bir sürüm seçene kadar buradan hiçbir şey kaydedilmez veya gönderilmez.',
  theirs: 'Diğer sürümü göster',
  mine: 'Bu sürümü koru',
};
