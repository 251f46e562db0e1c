import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCompleteOnboardingStep } from '../../../shared/account/use-onboarding';
import { publicZoneUrl } from '../../../shared/format/zone-urls';
import { CopyField } from '../../../shared/ui/fields/copy-field';
import type { Zone } from '../sort-zones';

/**
 * Shows the link of a public zone that was just created.
 * @param onClose opens the zone
 */
export function CreatedZoneDialog({ zone, onClose }: { zone: Zone | null; onClose: () => void }) {
  const { t } = useTranslation('zones');
  const id = useId();
  const completeStep = useCompleteOnboardingStep();
  return (
    <Dialog open={zone !== null} onClose={onClose} aria-labelledby={id} maxWidth="sm">
      {zone?.publicLink && (
        <>
          <DialogTitle id={id} sx={{ overflowWrap: 'anywhere' }}>
            {t('created.title', { name: zone.name })}
          </DialogTitle>
          <DialogContent>
            <Stack spacing={4}>
              <Typography color="textSecondary">{t('created.text')}</Typography>
              <CopyField
                label={t('link.label')}
                value={publicZoneUrl(zone.publicLink)}
                failureMessage={t('link.copyFailed')}
                onCopied={() => completeStep('link')}
              />
            </Stack>
          </DialogContent>
          <DialogActions>
            <Button component={Link} to={`/zones/${zone.id}`} variant="contained" color="primary">
              {t('created.open')}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
