import type { Language, LocalizedText } from '../../platform/errors/app-error.js';
import type { ActivityType } from './activity.events.js';
import { freezeList } from '../../platform/constants/freeze-list.js';

const unknownPerson: LocalizedText = { en: 'Someone', tr: 'Birisi' };

const messages: Record<ActivityType, LocalizedText> = {
  'user.registered': { en: '{who} created an account', tr: '{who} hesap oluşturdu' },
  'user.signed_in': { en: '{who} signed in', tr: '{who} giriş yaptı' },
  'zone.created': { en: '{who} created the zone “{zoneName}”', tr: '{who}, “{zoneName}” bölgesini oluşturdu' },
  'member.joined': { en: '{who} joined “{zoneName}”', tr: '{who}, “{zoneName}” bölgesine katıldı' },
  'member.left': { en: '{who} left “{zoneName}”', tr: '{who}, “{zoneName}” bölgesinden ayrıldı' },
  'member.removed': { en: '{who} was removed from “{zoneName}”', tr: '{who}, “{zoneName}” bölgesinden çıkarıldı' },
  'member.expired': {
    en: "{who}'s membership of “{zoneName}” ended",
    tr: '{who} adlı kişinin “{zoneName}” bölgesindeki üyeliği sona erdi',
  },
  'folder.created': {
    en: '{who} created the folder “{folderName}” in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesinde “{folderName}” klasörünü oluşturdu',
  },
  'folder.renamed': {
    en: '{who} renamed the folder “{before}” to “{folderName}” in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesinde “{before}” klasörünün adını “{folderName}” yaptı',
  },
  'folder.moved': {
    en: '{who} moved the folder “{folderName}” in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesinde “{folderName}” klasörünün yerini değiştirdi',
  },
  'folder.deleted': {
    en: '{who} moved the folder “{folderName}” in “{zoneName}” to the trash',
    tr: '{who}, “{zoneName}” bölgesindeki “{folderName}” klasörünü çöp kutusuna taşıdı',
  },
  'folder.copied': {
    en: '{who} copied the folder “{folderName}” from “{zoneName}” to “{targetZoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{folderName}” klasörünü “{targetZoneName}” bölgesine kopyaladı',
  },
  'folder.transferred': {
    en: '{who} moved the folder “{folderName}” from “{zoneName}” to “{targetZoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{folderName}” klasörünü “{targetZoneName}” bölgesine taşıdı',
  },
  'mirror.created': {
    en: '{who} mirrored the folder “{folderName}” from “{zoneName}” to “{targetZoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{folderName}” klasörünü “{targetZoneName}” bölgesine aynaladı',
  },
  'mirror.removed': {
    en: '{who} removed the mirror folder “{folderName}” from “{zoneName}”',
    tr: '{who}, “{folderName}” ayna klasörünü “{zoneName}” bölgesinden kaldırdı',
  },
  'folder.restored': {
    en: '{who} restored the folder “{folderName}” in “{zoneName}” from the trash',
    tr: '{who}, “{zoneName}” bölgesindeki “{folderName}” klasörünü çöp kutusundan geri yükledi',
  },
  'folder.purged': {
    en: '{who} permanently deleted the folder “{folderName}” from “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{folderName}” klasörünü kalıcı olarak sildi',
  },
  'file.uploaded': {
    en: '{who} uploaded “{fileName}” to “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesine “{fileName}” dosyasını yükledi',
  },
  'file.replaced': {
    en: '{who} replaced “{fileName}” in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{fileName}” dosyasını yeni bir dosyayla değiştirdi',
  },
  'file.version_deleted': {
    en: '{who} permanently deleted an earlier version of “{fileName}” in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{fileName}” dosyasının önceki bir sürümünü kalıcı olarak sildi',
  },
  'file.version_restored': {
    en: '{who} restored an earlier version of “{fileName}” in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{fileName}” dosyasının önceki bir sürümünü geri yükledi',
  },
  'file.renamed': {
    en: '{who} renamed “{before}” to “{fileName}” in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesinde “{before}” dosyasının adını “{fileName}” yaptı',
  },
  'file.moved': {
    en: '{who} moved “{fileName}” in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesinde “{fileName}” dosyasının yerini değiştirdi',
  },
  'file.copied': {
    en: '{who} copied “{fileName}” from “{zoneName}” to “{targetZoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{fileName}” dosyasını “{targetZoneName}” bölgesine kopyaladı',
  },
  'file.transferred': {
    en: '{who} moved “{fileName}” from “{zoneName}” to “{targetZoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{fileName}” dosyasını “{targetZoneName}” bölgesine taşıdı',
  },
  'file.deleted': {
    en: '{who} moved “{fileName}” in “{zoneName}” to the trash',
    tr: '{who}, “{zoneName}” bölgesindeki “{fileName}” dosyasını çöp kutusuna taşıdı',
  },
  'file.restored': {
    en: '{who} restored “{fileName}” in “{zoneName}” from the trash',
    tr: '{who}, “{zoneName}” bölgesindeki “{fileName}” dosyasını çöp kutusundan geri yükledi',
  },
  'file.purged': {
    en: '{who} permanently deleted “{fileName}” from “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{fileName}” dosyasını kalıcı olarak sildi',
  },
  'items.moved': {
    en: '{who} moved {count} items in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesinde {count} öğenin yerini değiştirdi',
  },
  'items.copied': {
    en: '{who} copied {count} items from “{zoneName}” to “{targetZoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki {count} öğeyi “{targetZoneName}” bölgesine kopyaladı',
  },
  'items.transferred': {
    en: '{who} moved {count} items from “{zoneName}” to “{targetZoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki {count} öğeyi “{targetZoneName}” bölgesine taşıdı',
  },
  'items.deleted': {
    en: '{who} moved {count} items in “{zoneName}” to the trash',
    tr: '{who}, “{zoneName}” bölgesindeki {count} öğeyi çöp kutusuna taşıdı',
  },
  'items.restored': {
    en: '{who} restored {count} items in “{zoneName}” from the trash',
    tr: '{who}, “{zoneName}” bölgesindeki {count} öğeyi çöp kutusundan geri yükledi',
  },
  'items.purged': {
    en: '{who} permanently deleted {count} items from “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki {count} öğeyi kalıcı olarak sildi',
  },
  'file.viewed': {
    en: '{who} viewed “{fileName}” in “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesindeki “{fileName}” dosyasını görüntüledi',
  },
  'file.downloaded': {
    en: '{who} downloaded “{fileName}” from “{zoneName}”',
    tr: '{who}, “{zoneName}” bölgesinden “{fileName}” dosyasını indirdi',
  },
};

export const activityTypes = freezeList((Object.keys(messages) as ActivityType[]).sort());

/**
 * Returns the message text of an activity entry.
 * @param actorName name or address of the acting user; null if they no longer exist
 */
export function formatActivityMessage(
  type: ActivityType,
  params: Record<string, string>,
  actorName: string | null,
  language: Language,
): string {
  const values: Record<string, string> = { ...params, who: actorName ?? unknownPerson[language] };
  return messages[type][language].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
