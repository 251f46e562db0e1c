import { AppError, defineErrors } from '../../platform/errors/app-error.js';

export const billingErrors = defineErrors({
  BILLING_NOT_CONFIGURED: {
    status: 503,
    en: 'Plans cannot be bought in this installation at the moment.',
    tr: 'Bu kurulumda şu anda plan satın alınamıyor.',
  },
  NOTHING_SOLD: {
    status: 409,
    en: 'Nothing is sold in this installation.',
    tr: 'Bu kurulumda hiçbir şey satılmıyor.',
  },
  PRICE_NOT_CONFIGURED: {
    status: 503,
    en: 'This plan cannot be bought at the moment. Please choose another plan or interval.',
    tr: 'Bu plan şu anda satın alınamıyor. Lütfen başka bir plan veya dönem seçin.',
  },
  BILLING_UNAVAILABLE: {
    status: 503,
    en: 'The payment provider does not answer at the moment. Please try again shortly.',
    tr: 'Ödeme sağlayıcısı şu anda yanıt vermiyor. Lütfen birazdan yeniden deneyin.',
  },
  PLAN_NOT_SOLD: {
    status: 400,
    en: 'This plan is not sold here. The free plan needs no payment, and enterprise is agreed on with us.',
    tr: 'Bu plan burada satılmıyor. Ücretsiz plan için ödeme gerekmez, kurumsal plan ise bizimle kararlaştırılır.',
  },
  UPGRADE_NOT_OFFERED: {
    status: 409,
    en: 'No larger plan is offered to this account.',
    tr: 'Bu hesaba daha büyük bir plan sunulmuyor.',
  },
  PLAN_INCLUDED: {
    status: 409,
    en: 'You have this plan or a larger one already, without paying for it.',
    tr: 'Bu plana veya daha büyüğüne, ödeme yapmadan zaten sahipsiniz.',
  },
  NO_SUBSCRIPTION: {
    status: 409,
    en: 'You have no subscription to manage.',
    tr: 'Yönetilecek bir aboneliğiniz yok.',
  },
  PLAN_BY_AGREEMENT: {
    status: 409,
    en: 'Your plan was agreed on with us. Please write to us to change it.',
    tr: 'Planınız bizimle kararlaştırıldı. Değiştirmek için lütfen bize yazın.',
  },
  CHECKOUT_BUSY: {
    status: 409,
    en: 'Another window is opening the payment page for you. Please continue there, or try again in a minute.',
    tr: 'Ödeme sayfanız başka bir pencerede açılıyor. Lütfen orada devam edin veya bir dakika sonra yeniden deneyin.',
  },
  WEBHOOK_SIGNATURE: {
    status: 400,
    en: 'The signature of this delivery is not valid.',
    tr: 'Bu iletinin imzası geçerli değil.',
  },
});

const nothingCharged = {
  en: 'The payment provider does not answer at the moment. Nothing was charged; please try again shortly.',
  tr: 'Ödeme sağlayıcısı şu anda yanıt vermiyor. Hiçbir ücret alınmadı; lütfen birazdan yeniden deneyin.',
};

/** The same failure where nobody can have paid yet; said elsewhere it could be wrong. */
export function beforePayment(error: unknown): unknown {
  const { code, status } = billingErrors.BILLING_UNAVAILABLE;
  return error instanceof AppError && error.code === code ? new AppError(status, code, nothingCharged) : error;
}
