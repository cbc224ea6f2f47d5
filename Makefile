# The two that matter: `make run` shows Talkdrum at work, `make test` tries everything. The work is in cargo.

# `make run` builds without optimisation: about 2.5 minutes from nothing on two cores, against a quarter of an hour of a
# release build, and `make test` goes on with what it built. For real work: make build.
SHELL := bash
PROFILE ?= dev
BINARIES = $(or $(CARGO_TARGET_DIR),target)/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))

.DEFAULT_GOAL := help
.PHONY: help run test bench lint fmt build package

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 16

run: ## Build, start a sandbox, send to 3,000 made-up recipients; Ctrl-C stops it
	@. .ci/prepare run && npm --prefix console run --silent build -- --logLevel warn && cargo build --locked --profile $(PROFILE) -p talkdrum-daemon -p talkdrum
	@PATH="$(abspath $(BINARIES)):$$PATH" exec bash examples/tour.sh

test: ## Install what the tests need, and run all of them
	@. .ci/prepare test && exec bash .ci/test

bench: ## Measure against the targets, and Kannel where it is installed (BENCH='--quick --only api')
	@. .ci/prepare rust && cargo bench --locked -p talkdrum-daemon --bench figures -- $(BENCH)

lint: ## What `make test` says about style
	@. .ci/prepare rust && exec bash .ci/lint

fmt: ## Format the source
	@cargo fmt --all

# What the binaries say with --version.
build package: export TALKDRUM_COMMIT = $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)
# No path of the machine that builds and no time but that of the commit is in what is shipped.
build package: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct 2>/dev/null || stat --format %Y Cargo.lock)
build package bench: export RUSTFLAGS += --remap-path-prefix=$(CURDIR)=/talkdrum --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=/cargo

build: ## The optimised talkdrumd, with its pages, and talkdrum, in target/release
	@. .ci/prepare build && npm --prefix console run --silent build -- --logLevel warn && cargo build --locked --release -p talkdrum-daemon -p talkdrum

package: ## The Debian package of both, in target/deb
	@. .ci/prepare package && npm --prefix console run --silent build -- --logLevel warn && cargo build --locked --release -p talkdrum-daemon -p talkdrum && rm -rf target/deb && daemon/packaging/build release target/deb
