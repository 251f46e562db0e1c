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
  const { data: start } = useOnboardingStatus();
  const isDone = useChecklistDone(start);
  if (!start || (start.closed && !isDone)) return null;
  return <ChecklistSteps start={start} isDone={isDone} />;
}

/** When all steps are done the list is marked as completed, but stays visible until the user leaves the page. */
function useChecklistDone(start: OnboardingStatus | undefined): boolean {
  const completeStartStep = useCompleteOnboardingStep();
  const [isDone, setDone] = useState(false);
  const isFinished = start !== undefined && !start.closed && steps.every((step) => start[step]);
  if (isFinished && !isDone) setDone(true);
  useEffect(() => {
    if (isFinished) completeStartStep('closed');
  }, [isFinished, completeStartStep]);
  return isDone;
}

function ChecklistSteps({ start, isDone }: { start: OnboardingStatus; isDone: boolean }) {
  const { t } = useTranslation('dashboard');
  const completeStartStep = useCompleteOnboardingStep();
  const close = (
    <Button variant="text" onClick={() => completeStartStep('closed')}>
      {t('start.close')}
    </Button>
  );
  return (
    <Box sx={{ mb: 4 }}>
      <DashboardCard title={t('start.title')} action={!isDone && close}>
        <Typography color="textSecondary" role="status" sx={{ px: 4, pt: 3 }}>
          {t(isDone ? 'start.done' : 'start.text')}
        </Typography>
        <Box component="ol" sx={{ m: 0, p: 0, py: 2, listStyle: 'none' }}>
          {steps.map((step) => (
            <StepRow key={step} step={step} isDone={start[step]}>
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
          {t(`start.steps.${step}`)}
          <span className="z-visually-hidden"> {t(isDone ? 'start.isDone' : 'start.isOpen')}</span>
        </Typography>
        {!isDone && (
          <Typography variant="body2" color="textSecondary">
            {t(`start.why.${step}`)}
          </Typography>
        )}
      </Box>
      {!isDone && <Box sx={{ ml: { xs: 8, sm: 0 } }}>{children}</Box>}
    </Box>
  );
}
