CREATE TABLE journal (
    position  BIGINT   PRIMARY KEY,
    stream    TEXT     NOT NULL,
    sequence  BIGINT   NOT NULL,
    command   TEXT     NOT NULL,
    kind      SMALLINT NOT NULL,
    events_at INTEGER  NOT NULL,
    line      BYTEA    NOT NULL,
    UNIQUE (stream, sequence),
    UNIQUE (stream, command)
);
-- Lines are short and read whole: compression would cost more than it saves.
ALTER TABLE journal ALTER COLUMN line SET STORAGE EXTERNAL;

CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the journal is append-only'; END $$;

CREATE TRIGGER journal_is_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();

CREATE TABLE register (
    register TEXT  NOT NULL,
    key      TEXT  NOT NULL,
    value    BYTEA NOT NULL,
    PRIMARY KEY (register, key)
);
