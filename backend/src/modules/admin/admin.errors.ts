import { defineErrors } from '../../platform/errors/app-error.js';

export const adminErrors = defineErrors({
  USER_NOT_FOUND: { status: 404, en: 'User not found.', tr: 'Kullanıcı bulunamadı.' },
  OWN_ACCOUNT: {
    status: 403,
    en: 'You cannot do this to your own account.',
    tr: 'Bunu kendi hesabınıza yapamazsınız.',
  },
  ACCOUNT_IS_DEACTIVATED: {
    status: 409,
    en: 'This account is deactivated. Activate it first.',
    tr: 'Bu hesap devre dışı. Önce etkinleştirin.',
  },
  SETUP_CLOSED: {
    status: 404,
    en: 'This address is used up, older than an hour, or not needed any more.',
    tr: 'Bu adres kullanılmış, bir saatten eski ya da artık gerekli değil.',
  },
  JOB_NOT_FOUND: { status: 404, en: 'This job is not there any more.', tr: 'Bu iş artık yok.' },
  JOB_IS_RUNNING: {
    status: 409,
    en: 'This job is running at this moment.',
    tr: 'Bu iş şu anda çalışıyor.',
  },
  JOB_NOT_DEAD: {
    status: 409,
    en: 'Only a job that has given up can be discarded.',
    tr: 'Yalnızca denemeleri tükenmiş bir iş silinebilir.',
  },
  QUARANTINED_NOT_FOUND: {
    status: 404,
    en: 'This object is not in quarantine any more.',
    tr: 'Bu nesne artık karantinada değil.',
  },
  QUARANTINED_IS_NAMED: {
    status: 409,
    en: 'A file has this object as its content. Put it back.',
    tr: 'Bu nesne bir dosyanın içeriği. Yerine geri koyun.',
  },
  SETTING_OVERRIDDEN: {
    status: 409,
    en: 'The variable {variable} says what holds here. Change it there, or remove it and start again.',
    tr: 'Burada geçerli olanı {variable} değişkeni belirliyor. Orada değiştirin veya kaldırıp yeniden başlatın.',
  },
  SUPPRESSION_NOT_FOUND: { status: 404, en: 'This entry is not there any more.', tr: 'Bu kayıt artık yok.' },
  SUPPRESSION_STAYS: {
    status: 409,
    en: 'Only an address that failed can be lifted. Who complained or deleted the account has to agree anew.',
    tr: 'Yalnızca teslim edilemeyen bir adres serbest bırakılabilir. Şikâyet eden veya hesabını silen kişi yeniden onay vermelidir.',
  },
});
