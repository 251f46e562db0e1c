import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { SettingRow, SettingList } from './setting-list';
import { Section, SectionBody } from './section';

type ActivityEntry = Schema<'AccountActivityDto'>;
type ReplaceAll<Text extends string, Separator extends string> = Text extends `${infer Head}${Separator}${infer Tail}`
  ? `${Head}_${ReplaceAll<Tail, Separator>}`
  : Text;
/** The server's codes as translation keys, which contain no dots or dashes. */
export type ActivityKey = ReplaceAll<ReplaceAll<ActivityEntry['kind'], '.'>, '-'>;

/** Recent security events of the account; always refetched, because other devices cause them too. */
export function ActivitySection() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = $api.useQuery('get', '/api/user/security-activity', {}, { staleTime: 0 });
  return (
    <Section id="activity" title={t('activity.title')} text={t('activity.text')}>
      {!data && (
        <SectionBody>
          {error ? (
            <ErrorState title={t('activity.failed')} error={error} onRetry={refetch} />
          ) : (
            <RowsSkeleton rows={3} />
          )}
        </SectionBody>
      )}
      {data && <ActivityList entries={data} />}
    </Section>
  );
}

function ActivityList({ entries }: { entries: ActivityEntry[] }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  if (entries.length === 0) return <SectionBody>{t('activity.empty')}</SectionBody>;
  return (
    <SettingList label={t('activity.title')}>
      {entries.map(({ id, kind, count, network, at }) => {
        const kindLabel = t(`activity.kinds.${kind.replace(/[.-]/g, '_') as ActivityKey}`);
        const title =
          count > 1 ? t('activity.several', { name: kindLabel, count, formatted: format.number(count) }) : kindLabel;
        return <SettingRow key={id} title={title} text={[format.dateTime(at), network].filter(Boolean).join(' · ')} />;
      })}
    </SettingList>
  );
}
