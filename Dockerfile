# The command line for teams without Node. Build the folder first: node scripts/package.ts package
# Run it with a read-only root: docker run --rm --read-only --tmpfs /tmp -v "$PWD:/work" IMAGE export …
# A release gives the digest that this tag has then, and notes it in the labels of the image.
ARG BASE=node:24.21.0-alpine3.22
FROM ${BASE}
LABEL org.opencontainers.image.source="https://git.example.com/docs-courier" \
      org.opencontainers.image.licenses="MIT"
COPY --chown=root:root package /opt/docs-courier
# Not root: the number lets a cluster check that without reading a file of users.
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["node", "/opt/docs-courier/cli/index.js"]
CMD ["--help"]
