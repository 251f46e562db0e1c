import ReceiptLongRounded from '@mui/icons-material/ReceiptLongRounded';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { SettingRow, SettingList } from '../components/setting-list';
import { SectionBody } from '../components/section';

type Invoice = Schema<'InvoiceDto'>;
const statusTones: Record<Invoice['status'], BadgeTone> = {
  paid: 'success',
  open: 'danger',
  uncollectible: 'danger',
  void: 'neutral',
};

/** Invoices, newest first, with links to the payment provider. */
export function Invoices() {
  const { t } = useTranslation('settings');
  const { data: invoices, error, refetch } = $api.useQuery('get', '/api/user/invoices');
  if (invoices?.length === 0) return null;
  return (
    <>
      <Typography variant="subtitle2" component="h3" sx={{ px: { xs: 4, sm: 6 } }}>
        {t('plan.invoices')}
      </Typography>
      {invoices ? (
        <SettingList label={t('plan.invoices')}>
          {invoices.map((invoice) => (
            <InvoiceRow key={invoice.id} invoice={invoice} />
          ))}
        </SettingList>
      ) : (
        <SectionBody>
          {error ? (
            <ErrorState title={t('plan.invoicesFailed')} error={error} onRetry={refetch} />
          ) : (
            <RowsSkeleton rows={2} />
          )}
        </SectionBody>
      )}
    </>
  );
}

function InvoiceRow({ invoice: { number, createdAt, amount, currency, status, url } }: { invoice: Invoice }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const date = format.date(createdAt);
  return (
    <SettingRow
      icon={<ReceiptLongRounded />}
      title={
        <>
          {format.money(amount, currency)}
          <Badge tone={statusTones[status]}>{t(`plan.states.${status}`)}</Badge>
        </>
      }
      text={[date, number].filter(Boolean).join(' · ')}
      action={
        url && (
          <Link href={url} target="_blank" rel="noreferrer" aria-label={t('plan.openNamed', { date })}>
            {t('plan.open')}
          </Link>
        )
      }
    />
  );
}
