import { defineErrors } from '../../platform/errors/app-error.js';

export const fileErrors = defineErrors({
  INVALID_NAME: { status: 400, en: "This name can't be used.", tr: 'Bu ad kullanılamaz.' },
  NO_FILES: { status: 400, en: 'Please select files to upload', tr: 'Lütfen yüklenecek dosyaları seçin' },
  TOO_MANY_FILES: {
    status: 400,
    en: 'Please upload at most {allowed} files at a time.',
    tr: 'Lütfen bir seferde en fazla {allowed} dosya yükleyin.',
  },
  UPLOAD_MALFORMED: {
    status: 400,
    en: "Couldn't read the upload. Please try again.",
    tr: 'Yükleme okunamadı. Lütfen yeniden deneyin.',
  },
  UPLOAD_PROTOCOL: {
    status: 400,
    en: "This request doesn't follow the upload protocol (tus 1.0.0).",
    tr: 'Bu istek yükleme protokolüne (tus 1.0.0) uymuyor.',
  },
  UPLOAD_LENGTH_REQUIRED: {
    status: 400,
    en: 'The request must state the length of the file.',
    tr: 'İstek, dosyanın uzunluğunu belirtmelidir.',
  },
  FOLDER_TOO_DEEP: {
    status: 400,
    en: 'Folders can be at most {allowed} levels deep.',
    tr: 'Klasörler en fazla {allowed} seviye derinlikte olabilir.',
  },
  TOO_MANY_FOLDERS: {
    status: 400,
    en: 'This has too many folders. Please upload at most {allowed} folders at a time.',
    tr: 'Klasör sayısı çok fazla. Lütfen bir seferde en fazla {allowed} klasör yükleyin.',
  },
  NOTHING_CHOSEN: {
    status: 400,
    en: 'Please select files or folders.',
    tr: 'Lütfen dosya veya klasör seçin.',
  },
  TOO_MANY_TO_TRANSFER: {
    status: 400,
    en: 'This has too many files. Please select items with at most {allowed} files at a time.',
    tr: 'Dosya sayısı çok fazla. Lütfen bir seferde en fazla {allowed} dosya içeren öğeler seçin.',
  },
  NOTHING_TO_DOWNLOAD: {
    status: 404,
    en: 'There is nothing to download here yet.',
    tr: 'Burada henüz indirilecek bir şey yok.',
  },
  TOO_MUCH_TO_DOWNLOAD: {
    status: 400,
    en: 'This is too much for one download. Please select at most {allowed} files and folders.',
    tr: 'Tek seferde bu kadar çok öğe indirilemez. Lütfen en fazla {allowed} dosya ve klasör seçin.',
  },
  DOWNLOAD_NOT_ALLOWED: {
    status: 403,
    en: "The owner doesn't allow downloads of this file.",
    tr: 'Dosyanın sahibi indirmeye izin vermiyor.',
  },
  TEXT_NOT_ALLOWED: {
    status: 403,
    en: "The owner doesn't allow selecting or searching the text of this file.",
    tr: 'Dosyanın sahibi metnin seçilmesine veya metinde aranmasına izin vermiyor.',
  },
  NOTHING_TO_PLAY: {
    status: 404,
    en: 'This file has nothing to play.',
    tr: 'Bu dosyada oynatılacak bir şey yok.',
  },
  FILE_REQUEST_CLOSED: {
    status: 403,
    en: 'This file request is closed. Files are no longer accepted.',
    tr: 'Bu dosya isteği kapandı. Artık dosya kabul edilmiyor.',
  },
  FILE_REQUEST_LIMIT: {
    status: 403,
    en: 'You can send at most {allowed} files here.',
    tr: 'Buraya en fazla {allowed} dosya gönderebilirsiniz.',
  },
  FILE_REQUEST_NOT_FOUND: {
    status: 404,
    en: 'This folder no longer requests files.',
    tr: 'Bu klasörde artık dosya isteği yok.',
  },
  ADDRESS_EXPIRED: {
    status: 403,
    en: 'This download link has expired. Please download the file again.',
    tr: 'Bu indirme bağlantısının süresi doldu. Lütfen dosyayı yeniden indirin.',
  },
  VERSION_NOT_FOUND: {
    status: 404,
    en: 'This version no longer exists.',
    tr: 'Bu sürüm artık yok.',
  },
  FILE_NOT_FOUND: { status: 404, en: 'File not found', tr: 'Dosya bulunamadı' },
  THUMBNAIL_NOT_FOUND: {
    status: 404,
    en: 'This file has no thumbnail.',
    tr: 'Bu dosyanın küçük resmi yok.',
  },
  PAGE_NOT_FOUND: { status: 404, en: "This page doesn't exist.", tr: 'Böyle bir sayfa yok.' },
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
    en: 'This document has no password.',
    tr: 'Bu belgenin parolası yok.',
  },
  DOCUMENT_FAILED: { status: 422, en: '{reason}', tr: '{reason}' },
  PAGE_FAILED: {
    status: 422,
    en: "Couldn't display this page of the document.",
    tr: 'Belgenin bu sayfası görüntülenemiyor.',
  },
  DOCUMENT_PASSWORD_WRONG: {
    status: 422,
    en: 'Wrong password for this document.',
    tr: 'Belgenin parolası hatalı.',
  },
  LOCKED_NOT_SEARCHED: {
    status: 422,
    en: "Password-protected documents can't be searched because their text isn't stored.",
    tr: 'Parola korumalı belgelerin metni saklanmadığı için içlerinde arama yapılamaz.',
  },
  DOCUMENT_LOCKED: { status: 423, en: 'This document is password-protected.', tr: 'Bu belge parola korumalı.' },
  FOLDER_NOT_FOUND: { status: 404, en: 'Folder not found', tr: 'Klasör bulunamadı' },
  TRASH_NOT_FOUND: {
    status: 404,
    en: 'This item is no longer in the trash.',
    tr: 'Bu öğe artık çöp kutusunda değil.',
  },
  UPLOAD_NOT_FOUND: {
    status: 404,
    en: 'This upload no longer exists. Please upload the file again.',
    tr: 'Bu yükleme artık yok. Lütfen dosyayı yeniden yükleyin.',
  },
  DUPLICATE_NAMES: {
    status: 409,
    en: 'An item with this name already exists here.',
    tr: 'Burada bu adda bir öğe zaten var.',
  },
  FILE_CHANGED: {
    status: 409,
    en: 'Somebody replaced this file meanwhile. Look at the new one first.',
    tr: 'Bu dosya bu arada başkası tarafından değiştirildi. Önce yeni dosyaya bakın.',
  },
  VERSION_IS_CURRENT: {
    status: 409,
    en: 'This is the current version of the file.',
    tr: 'Bu, dosyanın güncel sürümü.',
  },
  FILE_TYPE_DIFFERS: {
    status: 409,
    en: "“{name}” can't be replaced with a file of another type. Upload it as a new file.",
    tr: '“{name}” dosyasının yerine başka türde bir dosya konamaz. Dosyayı yeni bir dosya olarak yükleyin.',
  },
  MIRROR_NOT_SHARED: {
    status: 409,
    en: "A mirror can't be shared by link. Please share the folder in its source zone.",
    tr: 'Bir ayna bağlantıyla paylaşılamaz. Lütfen klasörü kaynak bölgesinde paylaşın.',
  },
  MIRROR_READ_ONLY: {
    status: 409,
    en: 'Operation Not Allowed: this is a mirror folder. Please make changes in the source zone and they will sync automatically.',
    tr: 'İşleme izin verilmiyor: bu bir ayna klasör. Değişiklikleri kaynak bölgede yapın, otomatik olarak eşitlenirler.',
  },
  OTHER_ZONE: {
    status: 409,
    en: 'This belongs to another zone. Files and folders can be copied and moved only between zones of the same owner.',
    tr: 'Bu, başka bir bölgeye ait. Dosya ve klasörler yalnızca aynı sahibin bölgeleri arasında kopyalanabilir ve taşınabilir.',
  },
  SAME_ZONE: {
    status: 409,
    en: 'The items are already in this zone. Move them to one of its folders instead.',
    tr: 'Öğeler zaten bu bölgede. Bunun yerine onları bölgenin bir klasörüne taşıyın.',
  },
  MIRRORED_THERE: {
    status: 409,
    en: "“{name}” is mirrored in that zone, so it can't be moved there. Remove the mirror first.",
    tr: '“{name}” o bölgede aynalandığı için oraya taşınamaz. Önce aynayı kaldırın.',
  },
  UNDO_EXPIRED: {
    status: 404,
    en: 'This can no longer be undone.',
    tr: 'Bu işlem artık geri alınamaz.',
  },
  MOVE_INTO_ITSELF: {
    status: 409,
    en: "A folder can't be moved into itself or into one of its subfolders.",
    tr: 'Bir klasör kendi içine veya alt klasörlerine taşınamaz.',
  },
  UPLOAD_EXPIRED: {
    status: 409,
    en: 'The upload was inactive for too long. Please upload the file again.',
    tr: 'Yükleme çok uzun süre ilerlemedi. Lütfen dosyayı yeniden yükleyin.',
  },
  UPLOAD_OFFSET: {
    status: 409,
    en: "The upload offset doesn't match. Request the current offset and resume from there.",
    tr: 'Yükleme konumu eşleşmiyor. Geçerli konumu sorup oradan devam edin.',
  },
  UPLOAD_NOT_DIRECT: {
    status: 409,
    en: "The parts of this upload can't be sent to the storage directly. Send the bytes to the upload itself.",
    tr: 'Bu yüklemenin parçaları doğrudan depoya gönderilemez. Baytları yüklemenin kendisine gönderin.',
  },
  UPLOAD_INCOMPLETE: {
    status: 409,
    en: 'Parts of the upload are missing. Send them, then complete the upload again.',
    tr: 'Yüklemenin eksik parçaları var. Onları gönderin, ardından yüklemeyi yeniden tamamlayın.',
  },
  UPLOAD_VERSION: {
    status: 412,
    en: 'Only version 1.0.0 of the upload protocol (tus) is supported.',
    tr: 'Yükleme protokolünün (tus) yalnızca 1.0.0 sürümü destekleniyor.',
  },
  UPLOAD_TOO_LONG: {
    status: 413,
    en: 'More data was sent than the stated length.',
    tr: 'Belirtilen uzunluktan fazla veri gönderildi.',
  },
  FILE_TOO_LARGE: {
    status: 413,
    en: '“{name}” is too large. A file can be up to {allowed}.',
    tr: '“{name}” çok büyük. Bir dosya en fazla {allowed} olabilir.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    en: 'The requested range is outside the file.',
    tr: 'İstenen aralık dosyanın dışında.',
  },
  UPLOAD_LOCKED: {
    status: 423,
    en: 'Another request is currently using this upload.',
    tr: 'Bu yüklemeyi şu anda başka bir istek kullanıyor.',
  },
});

/** Errors with a wording specific to creating folders. */
export const folderErrors = defineErrors({
  MIRROR_READ_ONLY: {
    status: 409,
    en: 'Cannot create folders inside mirror locations. Please create folders in the source zone and they will sync automatically.',
    tr: 'Ayna konumlarında klasör oluşturulamaz. Lütfen klasörleri kaynak bölgede oluşturun, otomatik olarak eşitlenirler.',
  },
});
