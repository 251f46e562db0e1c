import { defineErrors } from '../../platform/errors/app-error.js';

export const adminErrors = defineErrors({
  USER_NOT_FOUND: { status: 404, en: 'User not found.', tr: 'Kullanıcı bulunamadı.' },
  OWN_ACCOUNT: {
    status: 403,
    en: "You can't do this to your own account.",
    tr: 'Bunu kendi hesabınıza yapamazsınız.',
  },
  ACCOUNT_IS_DEACTIVATED: {
    status: 409,
    en: 'This account is deactivated. Activate it first.',
    tr: 'Bu hesap devre dışı. Önce etkinleştirin.',
  },
  SETUP_CLOSED: {
    status: 404,
    en: 'This setup link has been used, has expired (after one hour) or is no longer needed.',
    tr: 'Bu kurulum bağlantısı kullanılmış, süresi (bir saat) dolmuş ya da artık gerekli değil.',
  },
  AUDIT_ENTRY_NOT_FOUND: { status: 404, en: 'Audit log entry not found.', tr: 'Denetim kaydı bulunamadı.' },
  JOB_NOT_FOUND: { status: 404, en: 'This job no longer exists.', tr: 'Bu iş artık yok.' },
  JOB_IS_RUNNING: {
    status: 409,
    en: 'This job is running right now.',
    tr: 'Bu iş şu anda çalışıyor.',
  },
  JOB_NOT_DEAD: {
    status: 409,
    en: 'Only a failed job can be discarded.',
    tr: 'Yalnızca başarısız olmuş bir iş silinebilir.',
  },
  QUARANTINED_NOT_FOUND: {
    status: 404,
    en: 'This object is no longer in quarantine.',
    tr: 'Bu nesne artık karantinada değil.',
  },
  QUARANTINED_IS_NAMED: {
    status: 409,
    en: "A file uses this object, so it can't be deleted. Restore it instead.",
    tr: 'Bu nesneyi bir dosya kullanıyor, bu yüzden silinemez. Bunun yerine geri yükleyin.',
  },
  SETTING_OVERRIDDEN: {
    status: 409,
    en: 'This setting comes from the variable {variable}. Change the variable, or remove it and restart.',
    tr: 'Bu ayarı {variable} değişkeni belirliyor. Değişkeni değiştirin veya kaldırıp yeniden başlatın.',
  },
  SUPPRESSION_NOT_FOUND: { status: 404, en: 'This entry no longer exists.', tr: 'Bu kayıt artık yok.' },
  SUPPRESSION_STAYS: {
    status: 409,
    en: 'Only bounced addresses can be removed from the list. People who reported an email as spam or deleted their account must consent again.',
    tr: 'Yalnızca geri dönen adresler listeden çıkarılabilir. E-postayı spam olarak bildiren veya hesabını silen kişiler yeniden onay vermelidir.',
  },
});
