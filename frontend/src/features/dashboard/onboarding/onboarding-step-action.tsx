import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCompleteOnboardingStep, type OnboardingGoal } from '../../../shared/account/use-onboarding';
import { $api } from '../../../shared/api/client';
import { publicZoneUrl } from '../../../shared/format/zone-urls';
import { CopyButton } from '../../../shared/ui/copy-button';

/** The action of a step; none if it depends on a zone that doesn't exist yet, or on other people. */
export function OnboardingStepAction({ step }: { step: OnboardingGoal }) {
  const { t } = useTranslation('dashboard');
  const completeOnboardingStep = useCompleteOnboardingStep();
  const zone = $api.useQuery('get', '/api/zones').data?.[0];
  if (step === 'reader' || (step !== 'zone' && step !== 'file' && !zone)) return null;
  if (step === 'link' && zone?.publicLink) {
    return <CopyButton value={publicZoneUrl(zone.publicLink)} onCopied={() => completeOnboardingStep('link')} />;
  }
  const to = {
    zone: '/zones?create=zone',
    file: '?do=upload',
    visitorPreview: `/zones/${zone?.id}/visitor`,
    link: `/zones/${zone?.id}/share`,
  }[step];
  return (
    <Button component={Link} to={to} preventScrollReset>
      {t(`onboarding.action.${step}`)}
    </Button>
  );
}
