import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type account from '../locales/en';
import type { PasswordEvaluation } from './password-evaluator';

type WeaknessReason = keyof (typeof account)['strength']['reasons'];

const LEVELS = [1, 2, 3, 4];
const colourByLevel = ['error.main', 'error.main', 'warning.main', 'success.main', 'success.main'];

/**
 * Shows the strength of a new password as text and as a bar, and what makes it weak. Shows the minimum length while the
 * password is too short.
 */
export function StrengthMeter({ evaluation, help }: { evaluation: PasswordEvaluation | null; help: string }) {
  const { t } = useTranslation('account');
  const level = evaluation && levelOf(evaluation);
  return (
    <Box component="span" sx={{ display: 'block' }}>
      {level !== null && (
        <Box component="span" aria-hidden="true" sx={{ display: 'flex', gap: 1, mt: 1, mb: 1 }}>
          {LEVELS.map((barLevel) => (
            <Box
              component="span"
              key={barLevel}
              sx={{
                flex: 1,
                height: 4,
                borderRadius: 1,
                bgcolor: barLevel <= level ? colourByLevel[level] : 'divider',
              }}
            />
          ))}
        </Box>
      )}
      <span role="status">
        {level === null ? (
          help
        ) : (
          <>
            <Box component="strong" sx={{ color: 'text.primary', fontWeight: 'fontWeightMedium' }}>
              {t(level < 3 ? 'strength.weak' : level === 3 ? 'strength.good' : 'strength.strong')}
            </Box>{' '}
            {evaluation?.rejection && t(`strength.reasons.${reasonOf(evaluation)}`)} {level < 3 && t('strength.advice')}
          </>
        )}
      </span>
    </Box>
  );
}

/** Steps of the bar, 1 to 4. Passwords that would be rejected never have more than two. */
const levelOf = ({ rejection, score }: PasswordEvaluation): number =>
  rejection ? Math.min(Math.max(score, 1), 2) : score;

/** Maps zxcvbn warnings to the reasons we have texts for. */
const reasonByWarning: Record<string, WeaknessReason> = {
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeat',
  extendedRepeat: 'repeat',
  sequences: 'sequence',
  recentYears: 'year',
  dates: 'date',
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'similar',
  wordByItself: 'word',
  namesByThemselves: 'name',
  commonNames: 'name',
  userInputs: 'own',
};

function reasonOf({ rejection, warning }: PasswordEvaluation): WeaknessReason {
  if (rejection === 'common' || rejection === 'own') return rejection;
  return (warning && reasonByWarning[warning]) || 'guessable';
}
