import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StretchedLink } from '../../../shared/browse/stretched-link';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import type { CampaignSummary } from '../api/use-campaigns';
import { StatusBadge } from './status-badge';
import { useRenderMergeFields } from './use-render-merge-fields';
import { useZoneName } from './use-zone-name';

const columns = 'minmax(0, 2fr) minmax(0, 1fr) 144px 88px 88px 120px 72px 112px';

/** Campaigns as rows, each linking to its campaign. */
export function CampaignTable({ campaigns }: { campaigns: readonly CampaignSummary[] }) {
  const { t } = useTranslation('campaigns');
  return (
    <TableFrame label={t('list')} columns={columns} rowCount={campaigns.length + 1}>
      <TableRow rowIndex={1} isHeader>
        <TableCell isHeader>{t('column.name')}</TableCell>
        <TableCell isHeader>{t('column.zone')}</TableCell>
        <TableCell isHeader>{t('column.status')}</TableCell>
        {(['recipients', 'sent', 'opens', 'clicks', 'when'] as const).map((name) => (
          <TableCell key={name} isHeader isNumeric>
            {t(`column.${name}`)}
          </TableCell>
        ))}
      </TableRow>
      <VirtualItems
        count={campaigns.length}
        itemHeight={44}
        getKey={(index) => campaigns[index]!.id}
        renderItem={(index) => <CampaignRow campaign={campaigns[index]!} rowIndex={index + 2} />}
      />
    </TableFrame>
  );
}

function CampaignRow({ campaign, rowIndex }: { campaign: CampaignSummary; rowIndex: number }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const renderMergeFields = useRenderMergeFields();
  const hasReport = campaign.can.seeReport;
  const zoneName = useZoneName(campaign);
  const date = campaign.sentAt ?? campaign.scheduledAt ?? campaign.startedAt ?? campaign.updatedAt;
  const formatCount = (value: number) => (hasReport ? format.number(value) : '–');
  return (
    <TableRow rowIndex={rowIndex}>
      <TableCell>
        <Box sx={{ minWidth: 0, py: 2 }}>
          <Typography variant="subtitle2" component="div">
            <StretchedLink to={`/campaigns/${campaign.id}`}>
              {campaign.kind === 'welcome' ? t('welcomeMail') : renderMergeFields(campaign.name, campaign.zoneName)}
            </StretchedLink>
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ display: { md: 'none' }, overflowWrap: 'anywhere' }}>
            {`${zoneName} · ${format.date(date)}`}
            {hasReport &&
              ` · ${t('column.sent')} ${formatCount(campaign.deliveredCount)} · ${t('column.opens')} ${formatCount(campaign.openCount)}`}
          </Typography>
        </Box>
      </TableCell>
      <TableCell hideOnMobile>
        <Typography variant="body2" noWrap title={zoneName}>
          {zoneName}
        </Typography>
      </TableCell>
      <TableCell>
        <StatusBadge campaign={campaign} compact />
      </TableCell>
      {[campaign.recipientCount, campaign.deliveredCount, campaign.openCount, campaign.clickCount].map(
        (value, index) => (
          <TableCell key={index} hideOnMobile isNumeric>
            {formatCount(value)}
          </TableCell>
        ),
      )}
      <TableCell hideOnMobile isNumeric>
        {format.date(date)}
      </TableCell>
    </TableRow>
  );
}
