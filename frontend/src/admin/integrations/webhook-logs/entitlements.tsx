import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import type { Sender } from '../senders';
import { useGiveBack, useTakeBack } from './use-webhook-changes';

type Entitlement = Schema<'EntitlementDto'>;

const tones: Record<Entitlement['state'], BadgeTone> = { granted: 'success', waiting: 'warning', revoked: 'neutral' };

/** What the purchase of a delivery opened, each of which can be taken back by hand, and given back after that. */
export function Entitlements({ sender, entitlements }: { sender: Sender; entitlements: readonly Entitlement[] }) {
  const { t } = useTranslation('integrations');
  const titleId = useId();
  const takeBack = useTakeBack(sender);
  const giveBack = useGiveBack(sender);
  const [asked, setAsked] = useState<Entitlement | null>(null);
  const confirm = (id: number) => takeBack.mutate({ params: { path: { id } } }, { onSettled: () => setAsked(null) });
  return (
    <Box component="section" aria-labelledby={titleId}>
      <Typography id={titleId} variant="h3" sx={{ mb: 2 }}>
        {t('detail.opened')}
      </Typography>
      {entitlements.length === 0 && <Typography color="textSecondary">{t('detail.openedNothing')}</Typography>}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {entitlements.map((entitlement) => (
          <Row
            key={entitlement.id}
            entitlement={entitlement}
            busy={giveBack.isPending}
            onTakeBack={() => setAsked(entitlement)}
            onGiveBack={() => giveBack.mutate({ params: { path: { id: entitlement.id } } })}
          />
        ))}
      </Box>
      <ConfirmDialog
        open={asked !== null}
        title={t('detail.takeBackTitle', { zone: asked?.zoneName ?? '' })}
        confirmLabel={t('detail.takeBack')}
        busy={takeBack.isPending}
        onConfirm={() => asked && confirm(asked.id)}
        onClose={() => setAsked(null)}
      >
        {t('detail.takeBackText')}
      </ConfirmDialog>
    </Box>
  );
}

interface RowProps {
  entitlement: Entitlement;
  busy: boolean;
  onTakeBack: () => void;
  onGiveBack: () => void;
}

function Row({ entitlement, busy, onTakeBack, onGiveBack }: RowProps) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const { externalId, state, zoneId, zoneName, occurredAt, canBeGivenBack } = entitlement;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        alignItems: 'center',
        justifyContent: 'space-between',
        columnGap: 3,
        rowGap: 1,
        py: 2,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: { xs: '1 1 100%', sm: 1 }, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography>{t('logs.zoneWithId', { name: zoneName, id: zoneId })}</Typography>
        <Typography variant="body2" color="textSecondary">
          {externalId} · {t('detail.since', { when: format.dateTime(occurredAt) })}
        </Typography>
      </Box>
      <Badge tone={tones[state]}>{t(`detail.entitlementStates.${state}`)}</Badge>
      {state !== 'revoked' && (
        <Button color="error" onClick={onTakeBack}>
          {t('detail.takeBack')}
        </Button>
      )}
      {/* Not disabled meanwhile, so that the focus stays in the dialog. */}
      {canBeGivenBack && (
        <Button aria-busy={busy} onClick={() => busy || onGiveBack()}>
          {t('detail.giveBack')}
        </Button>
      )}
    </Box>
  );
}
