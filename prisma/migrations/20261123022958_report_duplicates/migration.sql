-- AlterEnum
ALTER TYPE "duplicate_search_purpose" ADD VALUE 'report';
