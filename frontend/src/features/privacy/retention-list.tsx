import { useTranslation } from 'react-i18next';
import type { Schema } from '../../shared/api/client';
import { useFormat } from '../../shared/hooks/use-format';

const retentionKinds = ['ips', 'linkUsages', 'campaignEvents', 'activity', 'reading', 'webhookBodies'] as const;

/** The configured retention periods. */
export function RetentionList(retention: Partial<Schema<'RetentionDto'>>) {
  const { t } = useTranslation('privacy');
  const format = useFormat();
  return (
    <table className="z-privacy-retention">
      <thead>
        <tr>
          <th scope="col">{t('what')}</th>
          <th scope="col">{t('howLong')}</th>
        </tr>
      </thead>
      <tbody>
        {retentionKinds.map((kind) => {
          const days = retention[kind];
          return (
            days !== undefined && (
              <tr key={kind}>
                <th scope="row">{t(kind)}</th>
                <td>{days === 0 ? t('forever') : t('days', { count: days, formatted: format.number(days) })}</td>
              </tr>
            )
          );
        })}
      </tbody>
    </table>
  );
}
