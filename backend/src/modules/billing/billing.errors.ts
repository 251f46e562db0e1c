import { AppError, defineErrors } from '../../platform/errors/app-error.js';

export const billingErrors = defineErrors({
  BILLING_NOT_CONFIGURED: {
    status: 503,
    en: "Plans can't be bought on this site at the moment.",
    tr: 'Bu sitede şu anda plan satın alınamıyor.',
  },
  NOTHING_SOLD: {
    status: 409,
    en: "This site doesn't sell plans.",
    tr: 'Bu sitede plan satılmıyor.',
  },
  PRICE_NOT_CONFIGURED: {
    status: 503,
    en: "This plan isn't available at the moment. Please choose another plan or billing period.",
    tr: 'Bu plan şu anda satın alınamıyor. Lütfen başka bir plan veya dönem seçin.',
  },
  BILLING_UNAVAILABLE: {
    status: 503,
    en: "Couldn't reach the payment provider. Please try again shortly.",
    tr: 'Ödeme sağlayıcısına ulaşılamadı. Lütfen birazdan yeniden deneyin.',
  },
  PLAN_NOT_SOLD: {
    status: 400,
    en: "This plan can't be bought here. The free plan costs nothing. For the enterprise plan, please contact us.",
    tr: 'Bu plan buradan satın alınamaz. Ücretsiz plan için ödeme gerekmez. Kurumsal plan için lütfen bizimle iletişime geçin.',
  },
  UPGRADE_NOT_OFFERED: {
    status: 409,
    en: 'No larger plan is available for this account.',
    tr: 'Bu hesap için daha büyük bir plan yok.',
  },
  PLAN_INCLUDED: {
    status: 409,
    en: 'You already have this plan or a larger one free of charge.',
    tr: 'Bu plana veya daha büyük bir plana zaten ücretsiz olarak sahipsiniz.',
  },
  NO_SUBSCRIPTION: {
    status: 409,
    en: 'You have no subscription to manage.',
    tr: 'Yönetilecek bir aboneliğiniz yok.',
  },
  PLAN_BY_AGREEMENT: {
    status: 409,
    en: 'You have an individual plan. Please contact us to change it.',
    tr: 'Planınız size özel belirlendi. Değiştirmek için lütfen bizimle iletişime geçin.',
  },
  CHECKOUT_BUSY: {
    status: 409,
    en: 'The payment page is already opening in another window. Please continue there, or try again in a minute.',
    tr: 'Ödeme sayfanız başka bir pencerede açılıyor. Lütfen orada devam edin veya bir dakika sonra yeniden deneyin.',
  },
  WEBHOOK_SIGNATURE: {
    status: 400,
    en: "The webhook signature isn't valid.",
    tr: 'Webhook imzası geçerli değil.',
  },
});

const notChargedMessage = {
  en: "Couldn't reach the payment provider. You haven't been charged. Please try again shortly.",
  tr: 'Ödeme sağlayıcısına ulaşılamadı. Sizden ücret alınmadı. Lütfen birazdan yeniden deneyin.',
};

/** Adds to BILLING_UNAVAILABLE that nothing was charged. Use it only where the user can't have paid yet. */
export function toNotChargedError(error: unknown): unknown {
  const { code, status } = billingErrors.BILLING_UNAVAILABLE;
  return error instanceof AppError && error.code === code ? new AppError(status, code, notChargedMessage) : error;
}
