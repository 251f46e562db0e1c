import { defineMail } from '../../../platform/mail/mail-definition.js';

interface Values {
  readonly event: 'plan-started' | 'plan-ends' | 'payment-recovered';
  /** The name of the plan. */
  readonly plan: string;
  /** When the period ends, as a date for people; null when Stripe names no day. */
  readonly date: string | null;
  readonly url: string;
}

/** Tells a subscriber that a plan has started, on which day it ends, or that what was owed is paid. */
export const billingNewsMail = defineMail<Values>('billing.news', {
  en: ({ event, plan, date, url }) => {
    const button = { label: 'Open Your Plan', url };
    if (event === 'plan-started') {
      const subject = `Your ${plan} plan has started`;
      const renewal = date === null ? [] : [`It renews on ${date}. You can change or cancel it at any time.`];
      return {
        ...{ subject, heading: subject, button },
        paragraphs: [`Your account has the ${plan} plan, and its limits hold at once.`, ...renewal],
      };
    }
    if (event === 'plan-ends') {
      const subject = `Your ${plan} plan ends on ${date}`;
      const paragraphs = [
        `Your subscription was cancelled. Until ${date} nothing changes, and you can keep it under Manage Subscription.`,
        'After that your account has the free plan. Nothing that you have stored is lost.',
      ];
      return { subject, heading: subject, paragraphs, button };
    }
    const subject = 'Your payment went through';
    const paragraphs = [`What was owed is paid. Your account has the ${plan} plan; there is nothing left to do.`];
    return { subject, heading: subject, paragraphs, button };
  },
  tr: ({ event, plan, date, url }) => {
    const button = { label: 'Planınızı Açın', url };
    if (event === 'plan-started') {
      const subject = `${plan} planınız başladı`;
      const renewal =
        date === null ? [] : [`Yenilenme tarihi: ${date}. Dilediğiniz zaman değiştirebilir veya iptal edebilirsiniz.`];
      return {
        ...{ subject, heading: subject, button },
        paragraphs: [`Hesabınız artık ${plan} planında; sınırları hemen geçerli.`, ...renewal],
      };
    }
    if (event === 'plan-ends') {
      const subject = `${plan} planınızın bitiş tarihi: ${date}`;
      const paragraphs = [
        `Aboneliğiniz iptal edildi. ${date} tarihine kadar hiçbir şey değişmez; o güne kadar Aboneliği Yönet bölümünden sürdürebilirsiniz.`,
        'Sonra hesabınız ücretsiz planda olur. Sakladığınız hiçbir şey kaybolmaz.',
      ];
      return { subject, heading: subject, paragraphs, button };
    }
    const subject = 'Ödemeniz alındı';
    const paragraphs = [`Borcunuz ödendi. Hesabınız ${plan} planında; yapmanız gereken bir şey yok.`];
    return { subject, heading: subject, paragraphs, button };
  },
});
