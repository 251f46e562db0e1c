import type { Texts } from '../../../shared/preferences/language';
import type en from './activity-en';

/** Texts of the list of security events. */
export default {
  title: 'Son Etkinlikler',
  text: 'Hesabınızın güvenliğini etkileyen son olaylar. Tanımadığınız bir işlem varsa parolanızı değiştirin.',
  failed: 'Etkinlikleriniz yüklenemedi',
  empty: 'Henüz etkinlik yok.',
  several: '{{name}}, {{formatted}} kez',
  kinds: {
    user_email_changed: 'E-posta adresi değiştirildi',
    user_email_change_undone: 'E-posta adresi değişikliği geri alındı',
    user_identity_linked: 'Kimlik bağlandı',
    user_identity_unlinked: 'Kimlik bağlantısı kaldırıldı',
    user_factor_enrolled: 'Doğrulama uygulaması veya geçiş anahtarı eklendi',
    user_factor_removed: 'Doğrulama uygulaması veya geçiş anahtarı kaldırıldı',
    user_factors_reset: 'İki adımlı giriş bir yönetici tarafından kapatıldı',
    user_recovery_code_used: 'Kurtarma kodu kullanıldı',
    user_recovery_codes_made: 'Yeni kurtarma kodları oluşturuldu',
    user_password_changed: 'Parola değiştirildi',
    user_password_reset: 'Parola e-postadaki bağlantıyla sıfırlandı',
    user_registered: 'Hesap oluşturuldu',
    user_role_changed: 'Rol değiştirildi',
    user_session_ended: 'Bir cihazda oturum kapatıldı',
    user_sessions_ended: 'Birden çok cihazda oturum kapatıldı',
    user_signed_in: 'Giriş yapıldı',
    user_token_made: 'API anahtarı oluşturuldu',
    user_token_revoked: 'API anahtarı silindi',
    user_username_changed: 'Kullanıcı adı değiştirildi',
    sign_in_failed: 'Başarısız giriş',
    confirmation_failed: 'Başarısız kimlik onayı',
    locked_out: 'Çok fazla deneme nedeniyle engellendi',
    webhook_refused: 'Webhook reddedildi',
    token_network: 'API anahtarı yeni bir ağdan kullanıldı',
    new_device: 'Yeni bir cihazla giriş yapıldı',
  },
} satisfies Texts<typeof en>;
