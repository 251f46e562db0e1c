import { defineEmail } from '../../../platform/email/email-definition.js';

interface PaymentProblemEmailValues {
  readonly event: 'payment-failed' | 'plan-ended';
  /** Localised date until which the plan is kept; null if that has passed. */
  readonly until: string | null;
  /** The subscription still exists, and its plan is restored once it is paid. */
  readonly owed: boolean;
  readonly url: string;
}

/** Tells a subscriber that a payment failed or that the plan has ended. */
export const paymentProblemEmail = defineEmail<PaymentProblemEmailValues>('billing.event', {
  en: ({ event, until, owed, url }) =>
    event === 'payment-failed'
      ? {
          subject: "Your payment didn't go through",
          heading: "Your payment didn't go through",
          paragraphs: [
            "We couldn't collect the payment for your plan. Please check your card under Manage Subscription.",
            until === null
              ? "Your account is on the free plan until you've paid. None of your files will be deleted."
              : `Your plan stays as it is until ${until}. After that, your account is on the free plan until you've paid. None of your files will be deleted.`,
          ],
          button: { label: 'Open Plans', url },
        }
      : {
          subject: 'Your account is now on the free plan',
          heading: 'Your account is now on the free plan',
          paragraphs: [
            owed
              ? "Your subscription has an outstanding payment. You'll get your plan back as soon as you've paid."
              : 'Your subscription has ended.',
            'Everything in your zones stays available. You can only add more within the limits of the free plan.',
          ],
          button: { label: 'Open Plans', url },
        },
  tr: ({ event, until, owed, url }) =>
    event === 'payment-failed'
      ? {
          subject: 'Ödemeniz alınamadı',
          heading: 'Ödemeniz alınamadı',
          paragraphs: [
            'Planınızın ödemesini alamadık. Lütfen Aboneliği Yönet bölümünden kartınızı kontrol edin.',
            until === null
              ? 'Ödeme yapılana kadar hesabınız ücretsiz planda kalır. Hiçbir dosyanız silinmez.'
              : `Planınız şu tarihe kadar aynı kalır: ${until}. Bu tarihten sonra, ödeme yapılana kadar hesabınız ücretsiz planda kalır. Hiçbir dosyanız silinmez.`,
          ],
          button: { label: 'Planları Aç', url },
        }
      : {
          subject: 'Hesabınız artık ücretsiz planda',
          heading: 'Hesabınız artık ücretsiz planda',
          paragraphs: [
            owed
              ? 'Aboneliğinizin bekleyen bir ödemesi var. Ödeme yapılır yapılmaz planınıza geri dönersiniz.'
              : 'Aboneliğiniz sona erdi.',
            'Bölgelerinizdeki her şey erişilebilir kalır. Yalnızca ücretsiz planın sınırları içinde yeni içerik ekleyebilirsiniz.',
          ],
          button: { label: 'Planları Aç', url },
        },
});
