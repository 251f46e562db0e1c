import { defineMail } from '../../../../platform/mail/mail-definition.js';

/** `isNew`: the link sets the first password; otherwise it leads to signing in. */
export const accountInvitationMail = defineMail<{ url: string; isNew: boolean }>('admin.account-invitation', {
  en: ({ url, isNew }) => ({
    subject: 'You are invited to Zonary',
    heading: 'You are invited',
    paragraphs: isNew
      ? ['An administrator has set up an account for this address. Choose a password, and then sign in with it.']
      : [
          'An administrator has invited you. You have an account already: sign in with this address as before.',
          'If you do not know your password any more, choose “Forgot password?” there.',
        ],
    button: { label: isNew ? 'Choose a password' : 'Sign in', url },
    note: isNew
      ? 'The link works once and for 7 days. If you do not want an account, you need not do anything.'
      : 'If you did not expect this, you need not do anything.',
  }),
  tr: ({ url, isNew }) => ({
    subject: 'Zonary’ye davet edildiniz',
    heading: 'Davet edildiniz',
    paragraphs: isNew
      ? ['Bir yönetici bu adres için hesap açtı. Bir parola belirleyin, sonra onunla giriş yapın.']
      : [
          'Bir yönetici sizi davet etti. Zaten bir hesabınız var: eskisi gibi bu adresle giriş yapın.',
          'Parolanızı bilmiyorsanız orada “Parolamı unuttum”u seçin.',
        ],
    button: { label: isNew ? 'Parola belirle' : 'Giriş yap', url },
    note: isNew
      ? 'Bağlantı bir kez ve 7 gün boyunca çalışır. Hesap istemiyorsanız bir şey yapmanız gerekmez.'
      : 'Bunu beklemiyorduysanız bir şey yapmanız gerekmez.',
  }),
});
