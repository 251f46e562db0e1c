import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { Row, Rows } from './rows';
import { Section, SectionBody } from './section';

type Entry = Schema<'AccountActivityDto'>;
type Replaced<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${infer Tail}`
  ? `${Head}_${Replaced<Tail, Mark>}`
  : Text;
/** The codes of the server as keys of texts, in which neither dots nor dashes stand. */
export type ActivityKey = Replaced<Replaced<Entry['kind'], '.'>, '-'>;

/** What lately concerned the security of the account; always asked anew, since others cause it too. */
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
      {data && <Entries entries={data} />}
    </Section>
  );
}

function Entries({ entries }: { entries: Entry[] }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  if (entries.length === 0) return <SectionBody>{t('activity.empty')}</SectionBody>;
  return (
    <Rows label={t('activity.title')}>
      {entries.map(({ id, kind, count, network, at }) => {
        const name = t(`activity.kinds.${kind.replace(/[.-]/g, '_') as ActivityKey}`);
        const title = count > 1 ? t('activity.several', { name, count, formatted: format.number(count) }) : name;
        return <Row key={id} title={title} text={[format.dateTime(at), network].filter(Boolean).join(' · ')} />;
      })}
    </Rows>
  );
}
