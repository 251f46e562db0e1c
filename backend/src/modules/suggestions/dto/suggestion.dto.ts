import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { OneLine, IsOneOf, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { MissingMessage, localized } from '../../../platform/http/parsing/validation.js';
import {
  suggestionCategories,
  suggestionPriorities,
  suggestionStatuses,
  type SuggestionCategory,
  type SuggestionPriority,
  type SuggestionStatus,
} from '../entities/feature-suggestion.entity.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { Type } from 'class-transformer';

export const suggestionSorts = freezeList(['votes', 'newest']);
export type SuggestionSort = (typeof suggestionSorts)[number];

const titleLength = localized(
  'The title must have 5 to 100 characters',
  'Başlık 5 ile 100 karakter arasında olmalıdır',
);
const descriptionLength = localized(
  'The description must have 20 to 1000 characters',
  'Açıklama 20 ile 1000 karakter arasında olmalıdır',
);
const knownCategory = localized(
  'The category must be feature, bug or improvement',
  'Kategori özellik, hata veya iyileştirme olmalıdır',
);
const knownStatus = localized("This status doesn't exist", 'Böyle bir durum yok');
const knownPriority = localized(
  'The priority must be low, medium or high',
  'Öncelik düşük, orta veya yüksek olmalıdır',
);
const notesLength = localized('The notes can have up to 500 characters', 'Notlar en fazla 500 karakter olabilir');
const hoursRange = localized(
  'The estimate must be a whole number from 1 to 200',
  'Tahmin 1 ile 200 arasında bir tam sayı olmalıdır',
);
const versionLength = localized('The version can have up to 20 characters', 'Sürüm en fazla 20 karakter olabilir');

export class SuggestionQueryDto extends ListQueryDto {
  /** Omit for all. */
  @IsOneOf(suggestionStatuses, knownStatus)
  status?: SuggestionStatus;

  @IsOneOf(suggestionCategories, knownCategory)
  category?: SuggestionCategory;

  /** Words from the title or the description. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;

  /** Default: most votes first. */
  @IsOneOf(suggestionSorts, localized('Must be votes or newest', 'votes veya newest olmalıdır'))
  sort?: SuggestionSort;
}

export class AdminSuggestionQueryDto extends AdminListQueryDto {
  @IsOneOf(suggestionStatuses, knownStatus)
  status?: SuggestionStatus;

  @IsOneOf(suggestionCategories, knownCategory)
  category?: SuggestionCategory;
}

@MissingMessage('Please fill in all required fields.', 'Lütfen tüm zorunlu alanları doldurun.')
export class CreateSuggestionDto {
  @Trim()
  @OneLine()
  @MaxLength(100, titleLength)
  @MinLength(5, titleLength)
  @IsString(titleLength)
  title: string;

  @Trim()
  @MaxLength(1000, descriptionLength)
  @MinLength(20, descriptionLength)
  @IsString(descriptionLength)
  description: string;

  /** Default: feature. */
  @OptionalField()
  @IsIn(suggestionCategories, knownCategory)
  @ApiProperty({ enum: suggestionCategories, required: false })
  category?: SuggestionCategory;
}

/** Omitted fields keep their values; null removes the notes, estimate or version. */
export class UpdateSuggestionDto {
  @OptionalField()
  @Trim()
  @OneLine()
  @MaxLength(100, titleLength)
  @MinLength(5, titleLength)
  @IsString(titleLength)
  title?: string;

  @OptionalField()
  @Trim()
  @MaxLength(1000, descriptionLength)
  @MinLength(20, descriptionLength)
  @IsString(descriptionLength)
  description?: string;

  @OptionalField()
  @IsIn(suggestionStatuses, knownStatus)
  @ApiProperty({ enum: suggestionStatuses, required: false })
  status?: SuggestionStatus;

  @OptionalField()
  @IsIn(suggestionPriorities, knownPriority)
  @ApiProperty({ enum: suggestionPriorities, required: false })
  priority?: SuggestionPriority;

  /** Visible to everyone. */
  @IsOptional()
  @Trim()
  @MaxLength(500, notesLength)
  @IsString(notesLength)
  @ApiProperty({ type: String, nullable: true, required: false, maxLength: 500 })
  adminNotes?: string | null;

  @IsOptional()
  @Max(200, hoursRange)
  @Min(1, hoursRange)
  @IsInt(hoursRange)
  @ApiProperty({ type: Number, nullable: true, required: false, minimum: 1, maximum: 200 })
  estimatedHours?: number | null;

  @IsOptional()
  @Trim()
  @OneLine()
  @MaxLength(20, versionLength)
  @IsString(versionLength)
  @ApiProperty({ type: String, nullable: true, required: false, maxLength: 20 })
  targetVersion?: string | null;
}

export class SuggestionAbilitiesDto {
  update: boolean;
  delete: boolean;
  /** Edit or withdraw one's own suggestion. */
  edit: boolean;
  vote: boolean;
  /** Merge it into another one. */
  merge: boolean;
  /** Undo the merge. */
  unmerge: boolean;
}

/** Target of a merged suggestion. */
export class MergedIntoDto {
  id: number;
  title: string;
  /** Votes of both suggestions; people who voted for both count once. */
  voteCount: number;
}

export class SuggestionDto {
  id: number;
  title: string;
  description: string;
  @ApiProperty({ enum: suggestionCategories })
  category: SuggestionCategory;
  @ApiProperty({ enum: suggestionStatuses })
  status: SuggestionStatus;
  @ApiProperty({ enum: suggestionPriorities })
  priority: SuggestionPriority;
  /** null if the person has no name or their account was deleted. */
  submitterName: string | null;
  createdAt: Date;
  updatedAt: Date;
  adminNotes: string | null;
  estimatedHours: number | null;
  targetVersion: string | null;
  /** Votes, including merged suggestions; for a merged suggestion, the votes at the time of the merge. */
  voteCount: number;
  /** Whether the viewer voted for it or for a suggestion merged into it. */
  userVoted: boolean;
  /** Whether the viewer submitted it. */
  isOwn: boolean;
  /** The suggestion it was merged into; null if it isn't merged. */
  mergedInto: MergedIntoDto | null;
  /** Number of suggestions merged into it. */
  mergedCount: number;
  /** What the viewer may do. */
  can: SuggestionAbilitiesDto;
}

/** A row of the administrators' list. */
export class AdminSuggestionDto extends SuggestionDto {
  submitterEmail: string | null;
}

const wanted = localized('Please choose the suggestion to merge into', 'Lütfen birleştirilecek öneriyi seçin');

export class MergeSuggestionDto {
  /** The suggestion that remains and counts the votes of both. */
  @Max(Number.MAX_SAFE_INTEGER, wanted)
  @Min(1, wanted)
  @IsInt(wanted)
  @Type(() => Number)
  intoId: number;
}

const titleWanted = localized(
  'Please enter a title of at most 100 characters',
  'Lütfen en fazla 100 karakterlik bir başlık girin',
);

/** Fields that authors may change; omitted fields keep their values. */
export class SuggestionWordsDto extends PickType(UpdateSuggestionDto, ['title', 'description'] as const) {
  @OptionalField()
  @IsIn(suggestionCategories, knownCategory)
  @ApiProperty({ enum: suggestionCategories, required: false })
  category?: SuggestionCategory;
}

export class SimilarQueryDto {
  @Trim()
  @OneLine()
  @MaxLength(100, titleWanted)
  @MinLength(1, titleWanted)
  @IsString(titleWanted)
  title: string;
}
