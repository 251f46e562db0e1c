import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useLanguage } from '../../../shared/hooks/use-format';
import type scheduledJobs from '../locales/scheduled-jobs-en';
import { parseSchedule } from './schedule';

/** 1 January 2023 was a Sunday, the first day in cron expressions. */
const toSampleDay = (weekday: number) => new Date(Date.UTC(2023, 0, 1 + weekday));

/** Returns the name and schedule of a scheduled job in words; the code where there are none. */
export function useScheduledJobTexts() {
  const { t } = useTranslation('admin');
  const language = useLanguage();
  const weekdayFormat = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  return {
    name: ({ name }: Schema<'ClockJobDto'>) =>
      t(`clock.jobs.${name.replaceAll(/[.-]/g, '_') as keyof typeof scheduledJobs}`, { defaultValue: name }),
    schedule: ({ cron }: Schema<'ClockJobDto'>) => {
      const schedule = parseSchedule(cron);
      if (!schedule) return cron;
      if (schedule.kind === 'minutes') return t('clock.every.minutes', { count: schedule.count });
      const day = schedule.kind === 'weekly' ? weekdayFormat.format(toSampleDay(schedule.weekday)) : '';
      return t(`clock.every.${schedule.kind}`, { time: schedule.time, day });
    },
  };
}
