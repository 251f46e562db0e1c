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
import { useRestoreEntitlement, useRevokeEntitlement } from './use-webhook-mutations';

type Entitlement = Schema<'EntitlementDto'>;

const stateTones: Record<Entitlement['state'], BadgeTone> = {
  granted: 'success',
  waiting: 'warning',
  revoked: 'neutral',
};

/** Access granted by a delivery. Each entitlement can be revoked by hand and restored afterwards. */
export function Entitlements({ sender, entitlements }: { sender: Sender; entitlements: readonly Entitlement[] }) {
  const { t } = useTranslation('integrations');
  const titleId = useId();
  const revokeEntitlement = useRevokeEntitlement(sender);
  const restoreEntitlement = useRestoreEntitlement(sender);
  const [entitlementToRevoke, setEntitlementToRevoke] = useState<Entitlement | null>(null);
  const confirmRevoke = (id: number) =>
    revokeEntitlement.mutate({ params: { path: { id } } }, { onSettled: () => setEntitlementToRevoke(null) });
  return (
    <Box component="section" aria-labelledby={titleId}>
      <Typography id={titleId} variant="h3" sx={{ mb: 2 }}>
        {t('detail.opened')}
      </Typography>
      {entitlements.length === 0 && <Typography color="textSecondary">{t('detail.openedNothing')}</Typography>}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {entitlements.map((entitlement) => (
          <EntitlementRow
            key={entitlement.id}
            entitlement={entitlement}
            isRestoring={restoreEntitlement.isPending}
            onRevoke={() => setEntitlementToRevoke(entitlement)}
            onRestore={() => restoreEntitlement.mutate({ params: { path: { id: entitlement.id } } })}
          />
        ))}
      </Box>
      <ConfirmDialog
        open={entitlementToRevoke !== null}
        title={t('detail.takeBackTitle', { zone: entitlementToRevoke?.zoneName ?? '' })}
        confirmLabel={t('detail.takeBack')}
        isPending={revokeEntitlement.isPending}
        onConfirm={() => entitlementToRevoke && confirmRevoke(entitlementToRevoke.id)}
        onClose={() => setEntitlementToRevoke(null)}
      >
        {t('detail.takeBackText')}
      </ConfirmDialog>
    </Box>
  );
}

interface EntitlementRowProps {
  entitlement: Entitlement;
  isRestoring: boolean;
  onRevoke: () => void;
  onRestore: () => void;
}

function EntitlementRow({ entitlement, isRestoring, onRevoke, onRestore }: EntitlementRowProps) {
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
      <Badge tone={stateTones[state]}>{t(`detail.entitlementStates.${state}`)}</Badge>
      {state !== 'revoked' && (
        <Button color="error" onClick={onRevoke}>
          {t('detail.takeBack')}
        </Button>
      )}
      {/* Not disabled while pending, so that the focus stays in the dialog. */}
      {canBeGivenBack && (
        <Button aria-busy={isRestoring} onClick={() => isRestoring || onRestore()}>
          {t('detail.giveBack')}
        </Button>
      )}
    </Box>
  );
}
