import Avatar from '@mui/material/Avatar';
import { initialOf, type Person } from '../format/person';

/** A person's picture, or the first letter of what we know of them. Decorative: the name stands beside it. */
export function UserAvatar({ person, size = 32 }: { person: Person; size?: number }) {
  return (
    <Avatar
      src={person.profileImageUrl ?? undefined}
      alt=""
      aria-hidden
      sx={{
        width: size,
        height: size,
        bgcolor: 'tint.neutral',
        color: 'text.primary',
        typography: size < 40 ? 'body2' : 'subtitle1',
        fontWeight: 'fontWeightSemibold',
      }}
    >
      {initialOf(person)}
    </Avatar>
  );
}
