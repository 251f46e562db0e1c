import { defineEmail } from '../../../platform/email/email-definition.js';

interface PlanChangeEmailValues {
  readonly event: 'plan-started' | 'plan-ends' | 'payment-recovered';
  readonly plan: string;
  /** Localised date of the end of the period; null if Stripe gives none. */
  readonly date: string | null;
  readonly url: string;
}

/** Tells a subscriber that a plan has started, when it ends, or that an overdue payment was made. */
export const planChangeEmail = defineEmail<PlanChangeEmailValues>('billing.news', {
  en: ({ event, plan, date, url }) => {
    const button = { label: 'Open Your Plan', url };
    if (event === 'plan-started') {
      const subject = `Your ${plan} plan has started`;
      const renewal = date === null ? [] : [`It renews on ${date}. You can change or cancel your plan at any time.`];
      return {
        subject,
        heading: subject,
        button,
        paragraphs: [`Your account is now on the ${plan} plan. Its limits apply immediately.`, ...renewal],
      };
    }
    if (event === 'plan-ends') {
      const subject = `Your ${plan} plan ends on ${date}`;
      const paragraphs = [
        `Your subscription was cancelled. Nothing changes until ${date}. You can resume your subscription until then under Manage Subscription.`,
        'After that, your account moves to the free plan. None of your files will be deleted.',
      ];
      return { subject, heading: subject, paragraphs, button };
    }
    const subject = 'Your payment went through';
    const paragraphs = [
      `Your outstanding payment has been made. Your account is on the ${plan} plan. You don't need to do anything.`,
    ];
    return { subject, heading: subject, paragraphs, button };
  },
  tr: ({ event, plan, date, url }) => {
    const button = { label: 'Planınızı Açın', url };
    if (event === 'plan-started') {
      const subject = `${plan} planınız başladı`;
      const renewal =
        date === null
          ? []
          : [`Yenilenme tarihi: ${date}. Planınızı dilediğiniz zaman değiştirebilir veya iptal edebilirsiniz.`];
      return {
        subject,
        heading: subject,
        button,
        paragraphs: [`Hesabınız artık ${plan} planında. Planın sınırları hemen geçerlidir.`, ...renewal],
      };
    }
    if (event === 'plan-ends') {
      const subject = `${plan} planınızın bitiş tarihi: ${date}`;
      const paragraphs = [
        `Aboneliğiniz iptal edildi. ${date} tarihine kadar hiçbir şey değişmez. Aboneliğinizi o güne kadar Aboneliği Yönet bölümünden sürdürebilirsiniz.`,
        'Bu tarihten sonra hesabınız ücretsiz plana geçer. Hiçbir dosyanız silinmez.',
      ];
      return { subject, heading: subject, paragraphs, button };
    }
    const subject = 'Ödemeniz alındı';
    const paragraphs = [`Bekleyen ödemeniz yapıldı. Hesabınız ${plan} planında. Bir şey yapmanız gerekmez.`];
    return { subject, heading: subject, paragraphs, button };
  },
});
