import { defineMail } from '../../../platform/mail/mail-definition.js';

interface Values {
  readonly event: 'payment-failed' | 'plan-ended';
  /** Until when the plan is kept, as a date for people; null when that is over. */
  readonly until: string | null;
  /** A subscription is there still, and its plan comes back once it is paid. */
  readonly owed: boolean;
  readonly url: string;
}

/** Tells a subscriber that a payment failed, or that the plan has ended. */
export const billingMail = defineMail<Values>('billing.event', {
  en: ({ event, until, owed, url }) =>
    event === 'payment-failed'
      ? {
          subject: 'Your payment did not go through',
          heading: 'Your payment did not go through',
          paragraphs: [
            'The payment for your plan could not be collected. Please check your card under Manage Subscription.',
            until === null
              ? 'Until it is paid, your account has the free plan. Nothing that you have stored is lost.'
              : `Your plan stays as it is until ${until}; after that your account has the free plan until it is paid. Nothing that you have stored is lost.`,
          ],
          button: { label: 'Open the plans', url },
        }
      : {
          subject: 'Your account is on the free plan now',
          heading: 'Your account is on the free plan now',
          paragraphs: [
            owed
              ? 'Your subscription is not paid at the moment. As soon as it is paid, your plan is back.'
              : 'Your subscription has ended.',
            'Everything in your zones stays and can be read; only adding is limited to what the free plan holds.',
          ],
          button: { label: 'Open the plans', url },
        },
  tr: ({ event, until, owed, url }) =>
    event === 'payment-failed'
      ? {
          subject: 'Ödemeniz alınamadı',
          heading: 'Ödemeniz alınamadı',
          paragraphs: [
            'Planınızın ödemesi alınamadı. Lütfen Aboneliği yönet bölümünden kartınızı kontrol edin.',
            until === null
              ? 'Ödeme yapılana kadar hesabınız ücretsiz planda kalır. Sakladığınız hiçbir şey kaybolmaz.'
              : `Planınız şu tarihe kadar aynı kalır: ${until}. Sonra, ödeme yapılana kadar hesabınız ücretsiz planda olur. Sakladığınız hiçbir şey kaybolmaz.`,
          ],
          button: { label: 'Planları aç', url },
        }
      : {
          subject: 'Hesabınız artık ücretsiz planda',
          heading: 'Hesabınız artık ücretsiz planda',
          paragraphs: [
            owed
              ? 'Aboneliğinizin ödemesi şu anda eksik. Ödenir ödenmez planınız geri gelir.'
              : 'Aboneliğiniz sona erdi.',
            'Bölgelerinizdeki her şey durur ve okunabilir; yalnızca ekleme, ücretsiz planın sınırlarına bağlıdır.',
          ],
          button: { label: 'Planları aç', url },
        },
});
