/** Texts for a draft that is changed in two tabs at once. */
export default {
  text: 'Bu taslak başka bir yerde, belki başka bir sekmede değiştirildi. Siz bir sürüm seçene kadar buradan hiçbir şey kaydedilmez veya gönderilmez.',
  theirs: 'Diğer Sürümü Göster',
  mine: 'Bu Sürümü Koru',
};
