import Box from '@mui/material/Box';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { $api, type Schema } from '../../../shared/api/client';
import { useUrlChoice } from '../../../shared/browse/use-url-choice';
import { ZoneSelect } from '../../../shared/ui/fields/zone-select';

interface ZoneChoice {
  zones: readonly Schema<'ZoneDto'>[];
  /** Empty for all zones. */
  zoneId: string;
  setZoneId: (zoneId: string) => void;
}

/** The zone in a parameter of the URL. */
export function useZoneChoice(parameter: string): ZoneChoice {
  const [query] = useSearchParams();
  const { data: zones } = $api.useQuery('get', '/api/zones');
  // Until the user's zones are known, the one in the URL is assumed to be one of them, so that its figures load at once.
  const ids = zones?.map(({ id }) => String(id)) ?? [query.get(parameter) ?? ''];
  const [zoneId, setZoneId] = useUrlChoice(parameter, ['', ...ids], '');
  return { zones: zones ?? [], zoneId, setZoneId };
}

/** Chooses one of the user's zones; shown to users with several. */
export function ZoneFilter({ label, choice }: { label: string; choice: ZoneChoice }) {
  const { t } = useTranslation('insights');
  const id = useId();
  const { zones, zoneId, setZoneId } = choice;
  if (zones.length < 2) return null;
  return (
    <Box sx={{ width: { xs: '100%', sm: 280 } }}>
      <ZoneSelect
        id={id}
        name="zoneId"
        label={label}
        emptyLabel={t('series.allZones')}
        zones={zones}
        value={zoneId}
        onChange={setZoneId}
      />
    </Box>
  );
}
