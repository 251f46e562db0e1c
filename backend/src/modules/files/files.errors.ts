import { defineErrors } from '../../platform/errors/app-error.js';

export const fileErrors = defineErrors({
  INVALID_NAME: { status: 400, en: 'This name cannot be used.', tr: 'Bu ad kullanılamaz.' },
  NO_FILES: { status: 400, en: 'Please select files to upload', tr: 'Lütfen yüklenecek dosyaları seçin' },
  TOO_MANY_FILES: {
    status: 400,
    en: 'Please upload at most {allowed} files at a time.',
    tr: 'Lütfen bir seferde en fazla {allowed} dosya yükleyin.',
  },
  UPLOAD_MALFORMED: {
    status: 400,
    en: 'The upload could not be read. Please try again.',
    tr: 'Yükleme okunamadı. Lütfen yeniden deneyin.',
  },
  UPLOAD_PROTOCOL: {
    status: 400,
    en: 'This request does not follow the upload protocol (tus 1.0.0).',
    tr: 'Bu istek yükleme protokolüne (tus 1.0.0) uymuyor.',
  },
  UPLOAD_LENGTH_REQUIRED: {
    status: 400,
    en: 'The length of the file must be announced.',
    tr: 'Dosyanın uzunluğu önceden bildirilmelidir.',
  },
  FOLDER_TOO_DEEP: {
    status: 400,
    en: 'Folders can be at most {allowed} levels deep.',
    tr: 'Klasör derinliği en fazla {allowed} seviye olabilir.',
  },
  NOTHING_CHOSEN: {
    status: 400,
    en: 'Please select files or folders.',
    tr: 'Lütfen dosya veya klasör seçin.',
  },
  NOTHING_TO_DOWNLOAD: {
    status: 404,
    en: 'There is nothing to download here yet.',
    tr: 'Burada henüz indirilecek bir şey yok.',
  },
  TOO_MUCH_TO_DOWNLOAD: {
    status: 400,
    en: 'This is too much for one download. Please choose at most {allowed} files and folders.',
    tr: 'Bu, tek bir indirme için çok fazla. Lütfen en fazla {allowed} dosya ve klasör seçin.',
  },
  DOWNLOAD_NOT_ALLOWED: {
    status: 403,
    en: 'The owner does not allow downloads of this file.',
    tr: 'Dosyanın sahibi indirmeye izin vermiyor.',
  },
  TEXT_NOT_ALLOWED: {
    status: 403,
    en: 'The owner does not allow the text of this file to be selected or searched.',
    tr: 'Dosyanın sahibi metnin seçilmesine veya metinde aranmasına izin vermiyor.',
  },
  NOTHING_TO_PLAY: {
    status: 404,
    en: 'There is nothing to play in this file.',
    tr: 'Bu dosyada oynatılacak bir şey yok.',
  },
  ADDRESS_EXPIRED: {
    status: 403,
    en: 'This address is no longer valid. Please download the file again.',
    tr: 'Bu adres artık geçerli değil. Lütfen dosyayı yeniden indirin.',
  },
  FILE_NOT_FOUND: { status: 404, en: 'File not found', tr: 'Dosya bulunamadı' },
  THUMBNAIL_NOT_FOUND: {
    status: 404,
    en: 'There is no small picture of this file.',
    tr: 'Bu dosyanın küçük resmi yok.',
  },
  PAGE_NOT_FOUND: { status: 404, en: 'There is no such page.', tr: 'Böyle bir sayfa yok.' },
  ATTACHMENT_NOT_FOUND: {
    status: 404,
    en: 'This document has no such attachment.',
    tr: 'Bu belgede böyle bir ek yok.',
  },
  ATTACHMENT_FAILED: {
    status: 422,
    en: 'This attachment is damaged or too large. Download the document instead.',
    tr: 'Bu ek hasarlı veya çok büyük. Bunun yerine belgeyi indirin.',
  },
  DOCUMENT_NOT_READY: {
    status: 409,
    en: 'This document is being prepared.',
    tr: 'Bu belge hazırlanıyor.',
  },
  DOCUMENT_NOT_LOCKED: {
    status: 409,
    en: 'This document asks for no password.',
    tr: 'Bu belge parola istemiyor.',
  },
  DOCUMENT_FAILED: { status: 422, en: '{reason}', tr: '{reason}' },
  PAGE_FAILED: {
    status: 422,
    en: 'This page of the document cannot be shown.',
    tr: 'Belgenin bu sayfası gösterilemiyor.',
  },
  DOCUMENT_PASSWORD_WRONG: {
    status: 422,
    en: 'This password does not open the document.',
    tr: 'Bu parola belgeyi açmıyor.',
  },
  LOCKED_NOT_SEARCHED: {
    status: 422,
    en: 'A document with a password cannot be searched: its text is not kept.',
    tr: 'Parolalı bir belgede arama yapılamaz: metni saklanmaz.',
  },
  DOCUMENT_LOCKED: { status: 423, en: 'This document asks for a password.', tr: 'Bu belge parola istiyor.' },
  FOLDER_NOT_FOUND: { status: 404, en: 'Folder not found', tr: 'Klasör bulunamadı' },
  TRASH_NOT_FOUND: {
    status: 404,
    en: 'This is not in the trash any more.',
    tr: 'Bu öğe artık çöp kutusunda değil.',
  },
  UPLOAD_NOT_FOUND: {
    status: 404,
    en: 'This upload is not there any more. Please upload again.',
    tr: 'Bu yükleme artık yok. Lütfen yeniden yükleyin.',
  },
  DUPLICATE_NAMES: {
    status: 409,
    en: 'There is already something of that name here.',
    tr: 'Burada bu adda bir öğe zaten var.',
  },
  MIRROR_READ_ONLY: {
    status: 409,
    en: 'Operation Not Allowed: this is a mirror folder. Please make changes in the source zone and they will sync automatically.',
    tr: 'İşleme izin verilmiyor: bu bir ayna klasör. Değişiklikleri kaynak bölgede yapın, otomatik olarak eşitlenirler.',
  },
  OTHER_ZONE: {
    status: 409,
    en: 'This belongs to another zone. Files and folders stay inside their zone.',
    tr: 'Bu öğe başka bir bölgeye ait. Dosya ve klasörler kendi bölgelerinde kalır.',
  },
  MOVE_INTO_ITSELF: {
    status: 409,
    en: 'A folder cannot be moved into itself or into a folder inside it.',
    tr: 'Bir klasör kendi içine veya içindeki bir klasöre taşınamaz.',
  },
  UPLOAD_EXPIRED: {
    status: 409,
    en: 'The upload stood still for too long. Please upload again.',
    tr: 'Yükleme çok uzun süre durdu. Lütfen yeniden yükleyin.',
  },
  UPLOAD_OFFSET: {
    status: 409,
    en: 'The upload stands elsewhere. Please ask where, and go on from there.',
    tr: 'Yükleme başka bir yerde kalmış. Lütfen nerede olduğunu sorup oradan devam edin.',
  },
  UPLOAD_VERSION: {
    status: 412,
    en: 'Only version 1.0.0 of the upload protocol (tus) is spoken here.',
    tr: 'Burada yükleme protokolünün (tus) yalnızca 1.0.0 sürümü kullanılır.',
  },
  UPLOAD_TOO_LONG: {
    status: 413,
    en: 'More was sent than the length that was announced.',
    tr: 'Bildirilen uzunluktan fazlası gönderildi.',
  },
  FILE_TOO_LARGE: {
    status: 413,
    en: '“{name}” is larger than {allowed} MB, the most that one file may have.',
    tr: '“{name}”, bir dosya için en fazla {allowed} MB olan sınırı aşıyor.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    en: 'The file has no such part.',
    tr: 'Dosyanın böyle bir bölümü yok.',
  },
  UPLOAD_LOCKED: {
    status: 423,
    en: 'Another request is at work on this upload.',
    tr: 'Bu yükleme üzerinde başka bir istek çalışıyor.',
  },
});

/** What is worded in its own way for making a folder. */
export const folderErrors = defineErrors({
  MIRROR_READ_ONLY: {
    status: 409,
    en: 'Cannot create folders inside mirror locations. Please create folders in the source zone and they will sync automatically.',
    tr: 'Ayna konumlarında klasör oluşturulamaz. Lütfen klasörleri kaynak bölgede oluşturun, otomatik olarak eşitlenirler.',
  },
});
