import { useDroppable } from '@dnd-kit/core';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { layoutSize } from '../../../app/theme/tokens';
import { $api, type Schema } from '../../../shared/api/client';
import type { DropData } from './drag-and-drop';
import type { ZoneTarget } from './folder-tree';
import { findZoneError, sortZoneTargets } from './zone-targets';

type Zone = Schema<'ZoneDto'>;

/** The ID of the panel as a drop target without effect, so that nothing behind it accepts the drop. */
export const ZONE_PANEL_DROP_ID = 'zones';
export const ZONE_DROP_PREFIX = 'zone-';

/**
 * The user's other zones, shown over the sidebar while entries are dragged. Those that can't be a target say why. On
 * screens without a sidebar, the dialog of “Move to…” offers the zones.
 */
export function ZoneDropPanel({ zone }: { zone: Zone }) {
  const { t } = useTranslation('files');
  const headingId = useId();
  const { data: ownZones = [] } = $api.useQuery('get', '/api/zones');
  const { data: sharedZones = [] } = $api.useQuery('get', '/api/shared-zones');
  const { setNodeRef } = useDroppable({ id: ZONE_PANEL_DROP_ID, data: { target: null } satisfies DropData });
  const zones = sortZoneTargets(zone, [...ownZones, ...sharedZones]);
  if (zones.every(({ id }) => id === zone.id)) return null;
  return createPortal(
    <Box
      ref={setNodeRef}
      sx={{
        position: 'fixed',
        inset: '0 auto 0 0',
        width: layoutSize.sidebar,
        [`@media (max-width: ${layoutSize.drawerBelow - 0.02}px)`]: { display: 'none' },
        zIndex: (theme) => theme.zIndex.modal,
        overflowY: 'auto',
        px: 3,
        py: 4,
        borderRight: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
      }}
    >
      <Typography id={headingId} variant="subtitle2" component="h2" color="textSecondary" sx={{ px: 3, pb: 2 }}>
        {t('moving.toZone')}
      </Typography>
      <Box component="ul" aria-labelledby={headingId} sx={{ display: 'grid', gap: 1, m: 0, p: 0, listStyle: 'none' }}>
        {zones.map((target) => (
          <ZoneDropTarget key={target.id} source={zone} zone={target} />
        ))}
      </Box>
    </Box>,
    document.body,
  );
}

function ZoneDropTarget({ source, zone }: { source: Zone; zone: Zone }) {
  const { t } = useTranslation('files');
  const { id: zoneId, name } = zone;
  const error = findZoneError(source, zone);
  const target: ZoneTarget | null = error ? null : { zoneId, id: null, name };
  const { setNodeRef, isOver } = useDroppable({
    id: `${ZONE_DROP_PREFIX}${zoneId}`,
    data: { target } satisfies DropData,
  });
  return (
    <Box
      component="li"
      ref={setNodeRef}
      sx={{
        minWidth: 0,
        px: 3,
        py: 2,
        borderRadius: 1,
        ...(isOver &&
          target && {
            bgcolor: 'tint.accent',
            outline: 2,
            outlineStyle: 'solid',
            outlineColor: 'primary.main',
            outlineOffset: -2,
          }),
      }}
    >
      <Typography variant="subtitle2" component="p" color={error ? 'textSecondary' : undefined} noWrap title={name}>
        {name}
      </Typography>
      {error && (
        <Typography variant="caption" color="textSecondary" component="p">
          {t(`moving.zoneErrors.${error}`)}
        </Typography>
      )}
    </Box>
  );
}
