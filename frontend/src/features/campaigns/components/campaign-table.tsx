import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StretchedLink } from '../../../shared/browse/stretched-link';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import type { CampaignSummary } from '../api/use-campaigns';
import { StatusBadge } from './status-badge';
import { useReadable } from './use-readable';
import { useZoneName } from './use-zone-name';

const columns = 'minmax(0, 2fr) minmax(0, 1fr) 144px 88px 88px 120px 72px 112px';

/** Campaigns as rows, each leading to the campaign. */
export function CampaignTable({ campaigns }: { campaigns: readonly CampaignSummary[] }) {
  const { t } = useTranslation('campaigns');
  return (
    <TableFrame label={t('list')} columns={columns} rows={campaigns.length + 1}>
      <TableRow at={1} head>
        <TableCell head>{t('column.name')}</TableCell>
        <TableCell head>{t('column.zone')}</TableCell>
        <TableCell head>{t('column.status')}</TableCell>
        {(['recipients', 'sent', 'opens', 'clicks', 'when'] as const).map((name) => (
          <TableCell key={name} head figure>
            {t(`column.${name}`)}
          </TableCell>
        ))}
      </TableRow>
      <VirtualItems
        count={campaigns.length}
        height={44}
        keyOf={(index) => campaigns[index]!.id}
        renderItem={(index) => <CampaignRow campaign={campaigns[index]!} at={index + 2} />}
      />
    </TableFrame>
  );
}

function CampaignRow({ campaign, at }: { campaign: CampaignSummary; at: number }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const readable = useReadable();
  const begun = campaign.can.seeReport;
  const zoneName = useZoneName(campaign);
  const when = campaign.sentAt ?? campaign.scheduledAt ?? campaign.startedAt ?? campaign.updatedAt;
  const figure = (value: number) => (begun ? format.number(value) : '–');
  return (
    <TableRow at={at}>
      <TableCell>
        <Box sx={{ minWidth: 0, py: 2 }}>
          <Typography variant="subtitle2" component="div">
            <StretchedLink to={`/campaigns/${campaign.id}`}>
              {campaign.kind === 'welcome' ? t('welcomeMail') : readable(campaign.name, campaign.zoneName)}
            </StretchedLink>
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ display: { md: 'none' }, overflowWrap: 'anywhere' }}>
            {`${zoneName} · ${format.date(when)}`}
            {begun &&
              ` · ${t('column.sent')} ${figure(campaign.deliveredCount)} · ${t('column.opens')} ${figure(campaign.openCount)}`}
          </Typography>
        </Box>
      </TableCell>
      <TableCell wide>
        <Typography variant="body2" noWrap title={zoneName}>
          {zoneName}
        </Typography>
      </TableCell>
      <TableCell>
        <StatusBadge campaign={campaign} short />
      </TableCell>
      {[campaign.recipientCount, campaign.deliveredCount, campaign.openCount, campaign.clickCount].map(
        (value, index) => (
          <TableCell key={index} wide figure>
            {figure(value)}
          </TableCell>
        ),
      )}
      <TableCell wide figure>
        {format.date(when)}
      </TableCell>
    </TableRow>
  );
}
