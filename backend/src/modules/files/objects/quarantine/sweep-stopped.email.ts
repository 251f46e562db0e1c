import { defineMail } from '../../../../platform/mail/mail-definition.js';

export const sweepStoppedMail = defineMail<{ url: string; objects: number; strays: number }>('files.sweep-stopped', {
  en: ({ url, objects, strays }) => ({
    subject: 'The weekly check of stored files has stopped',
    heading: 'The weekly check of stored files has stopped',
    paragraphs: [
      `Of ${objects} stored objects, ${strays} are named by nothing in the database. That is too many to be leftovers, so none was moved and nothing was removed.`,
      'Usually the database is older than the files, for example after a restore, or another installation uses the same storage. Please look into it.',
    ],
    button: { label: 'Open Administration', url },
  }),
  tr: ({ url, objects, strays }) => ({
    subject: 'Saklanan dosyaların haftalık denetimi durdu',
    heading: 'Saklanan dosyaların haftalık denetimi durdu',
    paragraphs: [
      `Saklanan ${objects} nesneden ${strays} tanesinin veritabanında karşılığı yok. Bu, artık dosya olamayacak kadar çok; bu yüzden hiçbiri taşınmadı ve silinmedi.`,
      'Genellikle veritabanı dosyalardan eskidir (örneğin geri yüklemeden sonra) ya da aynı depoyu başka bir kurulum da kullanıyordur. Lütfen inceleyin.',
    ],
    button: { label: 'Yönetimi aç', url },
  }),
});
