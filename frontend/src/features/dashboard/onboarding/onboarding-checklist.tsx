import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded';
import RadioButtonUncheckedRounded from '@mui/icons-material/RadioButtonUncheckedRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useOnboardingStatus,
  useCompleteOnboardingStep,
  type OnboardingStatus,
  type OnboardingGoal,
} from '../../../shared/account/use-onboarding';
import { DashboardCard } from '../panel';
import { OnboardingStepAction } from './onboarding-step-action';

const steps: readonly OnboardingGoal[] = ['zone', 'file', 'visitorPreview', 'link', 'reader'];

/**
 * Guides a new user to their first member. Steps are ticked off automatically; once dismissed or completed, it never
 * returns.
 */
export function OnboardingChecklist() {
  // Hidden if it fails to load: it is optional, and is requested again on the next visit.
  const { data: status } = useOnboardingStatus();
  const isDone = useChecklistDone(status);
  if (!status || (status.closed && !isDone)) return null;
  return <ChecklistSteps status={status} isDone={isDone} />;
}

/** When all steps are done the list is marked as completed, but stays visible until the user leaves the page. */
function useChecklistDone(status: OnboardingStatus | undefined): boolean {
  const completeOnboardingStep = useCompleteOnboardingStep();
  const [isDone, setDone] = useState(false);
  const isFinished = status !== undefined && !status.closed && steps.every((step) => status[step]);
  if (isFinished && !isDone) setDone(true);
  useEffect(() => {
    if (isFinished) completeOnboardingStep('closed');
  }, [isFinished, completeOnboardingStep]);
  return isDone;
}

function ChecklistSteps({ status, isDone }: { status: OnboardingStatus; isDone: boolean }) {
  const { t } = useTranslation('dashboard');
  const completeOnboardingStep = useCompleteOnboardingStep();
  const close = (
    <Button variant="text" onClick={() => completeOnboardingStep('closed')}>
      {t('onboarding.close')}
    </Button>
  );
  return (
    <Box sx={{ mb: 4 }}>
      <DashboardCard title={t('onboarding.title')} action={!isDone && close}>
        <Typography color="textSecondary" role="status" sx={{ px: 4, pt: 3 }}>
          {t(isDone ? 'onboarding.done' : 'onboarding.text')}
        </Typography>
        <Box component="ol" sx={{ m: 0, p: 0, py: 2, listStyle: 'none' }}>
          {steps.map((step) => (
            <StepRow key={step} step={step} isDone={status[step]}>
              <OnboardingStepAction step={step} />
            </StepRow>
          ))}
        </Box>
      </DashboardCard>
    </Box>
  );
}

function StepRow({ step, isDone, children }: { step: OnboardingGoal; isDone: boolean; children: ReactNode }) {
  const { t } = useTranslation('dashboard');
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, px: 4, py: 2 }}>
      {isDone ? (
        <CheckCircleRounded sx={{ color: 'success.main' }} />
      ) : (
        <RadioButtonUncheckedRounded sx={{ color: 'text.secondary' }} />
      )}
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <Typography variant="subtitle2" component="p" color={isDone ? 'textSecondary' : 'textPrimary'}>
          {t(`onboarding.steps.${step}`)}
          <span className="z-visually-hidden"> {t(isDone ? 'onboarding.isDone' : 'onboarding.isOpen')}</span>
        </Typography>
        {!isDone && (
          <Typography variant="body2" color="textSecondary">
            {t(`onboarding.why.${step}`)}
          </Typography>
        )}
      </Box>
      {!isDone && <Box sx={{ ml: { xs: 8, sm: 0 } }}>{children}</Box>}
    </Box>
  );
}
