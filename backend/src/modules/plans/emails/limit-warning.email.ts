import { defineEmail } from '../../../platform/email/email-definition.js';
import type { Metric } from '../plan-catalogue.js';
import type { WarningLevel } from '../plan.policy.js';

interface LimitWarningEmailValues {
  readonly metric: Metric;
  readonly level: WarningLevel;
  /** Formatted for display: "4.2 GB", "950". */
  readonly used: string;
  readonly allowed: string;
  /** Name of the plan. */
  readonly plan: string;
  readonly url: string;
  readonly mayUpgrade: boolean;
}

const englishTexts: Record<Metric, { all: string; most: string; of: string; full: string }> = {
  zones: { all: 'all zones', most: 'most zones', of: 'zones', full: "You can't create more zones" },
  people: {
    all: 'all members and invitations',
    most: 'most of the members and invitations',
    of: 'members and invitations',
    full: 'No new members can join your zones',
  },
  bytes: { all: 'all storage', most: 'most of the storage', of: 'storage', full: "You can't upload more files" },
  mails: {
    all: "all of this month's emails",
    most: "most of this month's emails",
    of: 'emails this month',
    full: "You can't send more emails until next month",
  },
};

const turkishTexts: Record<Metric, { all: string; most: string; of: string; full: string }> = {
  zones: { all: 'bölgelerin tümünü', most: 'bölgelerin çoğunu', of: 'bölge', full: 'Yeni bölge oluşturulamaz' },
  people: {
    all: 'üye ve davet haklarının tümünü',
    most: 'üye ve davet haklarının çoğunu',
    of: 'üye ve davet',
    full: 'Bölgelerinize yeni kimse katılamaz',
  },
  bytes: {
    all: 'depolama alanının tümünü',
    most: 'depolama alanının çoğunu',
    of: 'depolama',
    full: 'Yeni dosya yüklenemez',
  },
  mails: {
    all: 'bu ayın e-postalarının tümünü',
    most: 'bu ayın e-postalarının çoğunu',
    of: 'e-posta (bu ay)',
    full: 'Gelecek aya kadar e-posta gönderilemez',
  },
};

/** Tells an owner that 80% or all of a limit is used. */
export const limitWarningEmail = defineEmail<LimitWarningEmailValues>('plans.limit-warning', {
  en: ({ metric, level, used, allowed, plan, url, mayUpgrade }) => {
    const words = englishTexts[metric];
    const subject = `You've used ${level === 100 ? words.all : words.most} of your plan`;
    return {
      subject,
      heading: subject,
      paragraphs: [
        `You've used ${used} of ${allowed} ${words.of} on the ${plan} plan.`,
        `${level === 100 ? words.full : `When you reach the limit: ${words.full[0]!.toLowerCase()}${words.full.slice(1)}`}. Everything that's already there stays available.`,
      ],
      button: mayUpgrade ? { label: 'See Plans', url } : { label: 'Open My Zones', url },
      note: 'We send this email at most once a month for each limit and level.',
    };
  },
  tr: ({ metric, level, used, allowed, plan, url, mayUpgrade }) => {
    const words = turkishTexts[metric];
    const subject = `Planınızdaki ${level === 100 ? words.all : words.most} kullandınız`;
    return {
      subject,
      heading: subject,
      paragraphs: [
        `${plan} planınızda kullanılan: ${used} / ${allowed} (${words.of}).`,
        `${level === 100 ? '' : 'Sınıra ulaştığınızda: '}${words.full}. Mevcut içeriğiniz erişilebilir kalır.`,
      ],
      button: mayUpgrade ? { label: 'Planlara Bak', url } : { label: 'Bölgelerimi Aç', url },
      note: 'Bu e-postayı her sınır ve düzey için ayda en fazla bir kez göndeririz.',
    };
  },
});
