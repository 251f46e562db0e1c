import { defineMail } from '../../../platform/mail/mail-definition.js';
import type { Metric } from '../plan-catalogue.js';
import type { WarningLevel } from '../plan.policy.js';

interface Values {
  readonly metric: Metric;
  readonly level: WarningLevel;
  /** For people: "4.2 GB", "950". */
  readonly used: string;
  readonly allowed: string;
  /** Name of the plan. */
  readonly plan: string;
  readonly url: string;
  readonly mayUpgrade: boolean;
}

const english: Record<Metric, { all: string; most: string; of: string; full: string }> = {
  zones: { all: 'all zones', most: 'most zones', of: 'zones', full: 'No further zone can be created' },
  people: {
    all: 'all members and invitations',
    most: 'most of the members and invitations',
    of: 'members and invitations',
    full: 'Nobody new can join your zones',
  },
  bytes: { all: 'all storage', most: 'most of the storage', of: 'storage', full: 'No further file can be uploaded' },
  mails: {
    all: 'all emails of this month',
    most: 'most emails of this month',
    of: 'emails this month',
    full: 'No further email can be sent before the next month',
  },
};

const turkish: Record<Metric, { all: string; most: string; of: string; full: string }> = {
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
    full: 'Gelecek aydan önce e-posta gönderilemez',
  },
};

/** Tells an owner that 80 % or all of a limit is used. */
export const limitWarningMail = defineMail<Values>('plans.limit-warning', {
  en: ({ metric, level, used, allowed, plan, url, mayUpgrade }) => {
    const words = english[metric];
    const subject = `You have used ${level === 100 ? words.all : words.most} of your plan`;
    return {
      subject,
      heading: subject,
      paragraphs: [
        `Of the ${plan} plan you use ${used} of ${allowed} (${words.of}).`,
        `${level === 100 ? words.full : `When all is used: ${words.full.toLowerCase()}`}. Nothing that is there is lost.`,
      ],
      button: mayUpgrade ? { label: 'See the plans', url } : { label: 'Open my zones', url },
      note: 'We write about this at most once a month for each limit and level.',
    };
  },
  tr: ({ metric, level, used, allowed, plan, url, mayUpgrade }) => {
    const words = turkish[metric];
    const subject = `Planınızdaki ${level === 100 ? words.all : words.most} kullandınız`;
    return {
      subject,
      heading: subject,
      paragraphs: [
        `${plan} planınızda kullanılan: ${used} / ${allowed} (${words.of}).`,
        `${level === 100 ? '' : 'Tümü kullanıldığında: '}${words.full}. Var olan hiçbir şey kaybolmaz.`,
      ],
      button: mayUpgrade ? { label: 'Planlara bak', url } : { label: 'Bölgelerimi aç', url },
      note: 'Bunun için her sınır ve düzeyde ayda en fazla bir kez yazarız.',
    };
  },
});
