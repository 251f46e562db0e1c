import { defineEmail } from '../../../../platform/email/email-definition.js';

/** `isNew`: the link sets the first password; otherwise it leads to the sign-in page. */
export const accountInvitationEmail = defineEmail<{ url: string; isNew: boolean }>('admin.account-invitation', {
  en: ({ url, isNew }) => ({
    subject: "You're invited to Zonary",
    heading: "You're invited",
    paragraphs: isNew
      ? ['An administrator has created an account for this email address. Choose a password, then sign in with it.']
      : [
          'An administrator has invited you. You already have an account, so sign in with this email address as usual.',
          "If you've forgotten your password, choose “Forgot password?” on the sign-in page.",
        ],
    button: { label: isNew ? 'Choose a Password' : 'Sign In', url },
    note: isNew
      ? "You can use the link once within 7 days. If you don't want an account, you can ignore this email."
      : "If you weren't expecting this, you can ignore this email.",
  }),
  tr: ({ url, isNew }) => ({
    subject: 'Zonary’ye davet edildiniz',
    heading: 'Davet edildiniz',
    paragraphs: isNew
      ? ['Bir yönetici bu e-posta adresi için hesap oluşturdu. Bir parola belirleyip giriş yapın.']
      : [
          'Bir yönetici sizi davet etti. Zaten bir hesabınız olduğu için her zamanki gibi bu e-posta adresiyle giriş yapın.',
          'Parolanızı unuttuysanız giriş sayfasında “Parolanızı mı unuttunuz?” bağlantısını seçin.',
        ],
    button: { label: isNew ? 'Parola Belirle' : 'Giriş Yap', url },
    note: isNew
      ? 'Bağlantıyı 7 gün içinde bir kez kullanabilirsiniz. Hesap istemiyorsanız bu e-postayı dikkate almayın.'
      : 'Böyle bir davet beklemiyorsanız bu e-postayı dikkate almayın.',
  }),
});
