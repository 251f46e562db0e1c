import { defineEmail } from '../../../../platform/email/email-definition.js';

export const sweepStoppedEmail = defineEmail<{ url: string; objects: number; strays: number }>('files.sweep-stopped', {
  en: ({ url, objects, strays }) => ({
    subject: 'The weekly check of stored files has stopped',
    heading: 'The weekly check of stored files has stopped',
    paragraphs: [
      `${strays} of ${objects} stored objects have no entry in the database. That's too many to be leftovers, so nothing was moved or deleted.`,
      "The usual cause is a database that's older than the files, for example after a restore, or another site that uses the same storage. Please look into it.",
    ],
    button: { label: 'Open Administration', url },
  }),
  tr: ({ url, objects, strays }) => ({
    subject: 'Saklanan dosyaların haftalık denetimi durdu',
    heading: 'Saklanan dosyaların haftalık denetimi durdu',
    paragraphs: [
      `Saklanan ${objects} nesneden ${strays} tanesinin veritabanında kaydı yok. Bu kadarı artık dosya olamayacağı için hiçbir şey taşınmadı veya silinmedi.`,
      'Bunun nedeni genellikle veritabanının dosyalardan eski olması (örneğin geri yüklemeden sonra) ya da aynı depoyu başka bir sitenin de kullanmasıdır. Lütfen inceleyin.',
    ],
    button: { label: 'Yönetimi Aç', url },
  }),
});
